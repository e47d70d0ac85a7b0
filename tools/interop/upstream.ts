/** Keylime's servers and tenant: the usual release, and Python packages that are pinned so that two runs use the same ones. */
export const UPSTREAM = {
  package: 'keylime',
  version: '7.14.3',
  /** Dependencies of the package, which its metadata does not list. */
  requirements: [
    'alembic==1.20.1',
    'cryptography==50.0.2',
    'Jinja2==3.1.6',
    'jsonschema==4.26.0',
    'lark==1.3.1',
    'packaging==26.3',
    'psutil==7.2.2',
    'pyasn1==0.6.5',
    'pyasn1_modules==0.4.2',
    'PyYAML==6.0.3',
    'pyzmq==27.3.0',
    'requests==2.34.2',
    'SQLAlchemy==2.1.9',
    'tornado==6.6.1',
    'typing_extensions==4.16.0',
  ],
  /** The oldest Python that can run it: it uses `match`. */
  python: [3, 10],
  /** Debian packages by program. */
  debian: { python3: 'python3', venv: 'python3-venv', tpm2_eventlog: 'tpm2-tools' },
  /** Directory of a socket whose path is not configurable. */
  socketDirectory: '/run/keylime',
} as const
