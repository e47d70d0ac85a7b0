/** One release of Keylime's servers and tenant, as the Python registry has it, and what it runs with: pinned, so that two runs meet the same. */
export const UPSTREAM = {
  package: 'keylime',
  version: '7.14.3',
  /** What the package uses; its metadata names none of it. */
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
  /** The oldest Python that can read it: it uses `match`. */
  python: [3, 10],
  /** What Debian calls the programs needed, by the program. */
  debian: { python3: 'python3', venv: 'python3-venv', tpm2_eventlog: 'tpm2-tools' },
  /** Where its servers put a socket that no setting moves. */
  socketDirectory: '/run/keylime',
} as const
