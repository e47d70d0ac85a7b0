/** A command line that ends with exit code 2, what its sentence says and where, and the next step. */
export type BadInput = readonly [argv: readonly string[], says: string, next: string]

const INIT = [
  'init',
  '--cert',
  'admin.crt',
  '--key',
  'admin.pem',
  '--name',
  'n',
  '--out',
  'new.yaml',
]
const ELSEWHERE = ['--verifier', 'https://127.0.0.1:1']
const RESULT = 'give a result.json that assay run wrote'
const LIST = 'give the list as the kernel shows it, in text or binary'
const FINDING = 'name a file that a campaign has written below reports/out/fuzz'

/** Target files and options of runs. */
const RUNS: readonly BadInput[] = [
  [
    ['run', '--target', 'directory'],
    'the target file directory cannot be read: it is a directory',
    'assay init',
  ],
  [['run', '--target', 'empty'], 'empty:1:1: the file is empty', 'target.schema.json'],
  [['run', '--target', 'binary'], 'binary:1:1: not YAML', 'assay init'],
  [
    ['run', '--target', 'twice.yaml'],
    'twice.yaml:2:1: not YAML: Map keys must be unique',
    'assay init',
  ],
  [
    ['run', '--target', 'role.yaml'],
    'roles.verifer is not a known key; did you mean verifier?',
    'target.schema.json',
  ],
  [
    ['run', '--target', 'number.yaml'],
    'quote_interval is the number 2, expected a duration',
    'target.schema.json',
  ],
  [['run', '--target', 'huge'], 'the target file huge cannot be read', 'assay init'],
  [
    ['run', '--tarket', 'x'],
    "unknown option '--tarket' (Did you mean --target?)",
    'assay run --help',
  ],
  [
    ['run', '--jobs', '0'],
    "argument '0' is invalid: it takes a whole number from 1 to 99",
    'assay run --help',
  ],
  [['run', '--shard', '3/2'], "argument '3/2' is invalid", 'assay run --help'],
  [
    ['run', '--version', '9.9'],
    'no scenario matches --version 9.9',
    'the target file has the versions 1.0',
  ],
  [
    ['run', '--only', 'push.evidence'],
    'no scenario matches --only push.evidence',
    "--only 'push.evidence.*' selects",
  ],
  [['run', '--exclude', 'no.such'], '--exclude no.such matches no scenario', 'assay list'],
  [
    ['run', '--format', 'jsonl', '--format', 'github'],
    'both write to standard output',
    'leave one of them out',
  ],
  [
    ['run', '--baseline', 'directory'],
    'the baseline directory cannot be read',
    'name another file with --baseline',
  ],
  [['run', '--baseline', 'object.json'], 'the baseline object.json is wrong', '--update-baseline'],
  [['run', '--scenario', 'absent.ts'], 'absent.ts cannot be loaded as a scenario', 'assay explore'],
  [
    ['run', '--waivers', 'binary', '--only', 'push.evidence.accepted'],
    'the waiver file binary cannot be read',
    '--waivers',
  ],
  [
    ['run', '--out', 'empty/below', '--only', 'push.evidence.accepted'],
    'cannot write to empty/below: not a directory',
    '--out',
  ],
  [
    ['run', '--out', '/proc/x', '--only', 'push.evidence.accepted'],
    'cannot write to /proc/x: no such file or directory',
    '--out',
  ],
  [
    ['vectors', 'write', '/proc/x/y'],
    'cannot create /proc/x/y: no such file or directory',
    'another directory',
  ],
  [
    ['up', '--keep', '/proc/x'],
    'cannot create /proc/x: no such file or directory',
    'another directory',
  ],
  [
    ['verifier', '--set', 'state_dir=/proc/x'],
    'the TLS directory /proc/x/cv_ca cannot be made (ENOENT)',
    '--set state_dir',
  ],
  [['doctor', '--out', 'empty'], 'cannot write to empty: not a directory', '--out'],
  [['explore', '--out', 'empty'], 'cannot write to empty: not a directory', '--out'],
  [
    ['explore', '--steps', '0'],
    "argument '0' is invalid: expected a whole number",
    'assay explore --help',
  ],
  [['list', '--only', 'zzzz'], 'no scenario matches --only zzzz', 'assay list'],
  [
    ['explain', 'NO-SUCH'],
    'there is neither a requirement nor a scenario called NO-SUCH',
    'assay coverage',
  ],
]

/** Certificates, keys and addresses of a deployment. */
const DEPLOYMENTS: readonly BadInput[] = [
  [
    ['init'],
    'missing options: --verifier or --registrar, --ca, --cert, --key, --name',
    'assay init --help',
  ],
  [
    [...INIT, '--verifier', 'http://127.0.0.1:1', '--ca', 'ca.crt'],
    '--verifier is "http://127.0.0.1:1", expected an https URL',
    'https://127.0.0.1:8881',
  ],
  [[...INIT, ...ELSEWHERE, '--ca', 'absent'], 'the CA file absent does not exist', 'correct --ca'],
  [
    [...INIT, ...ELSEWHERE, '--ca', 'binary'],
    'the CA file binary holds no PEM certificate',
    'correct --ca',
  ],
  [[...INIT, ...ELSEWHERE, '--ca', 'ca.crt', '--key', 'other.pem'], 'other.pem', '--key'],
  [
    [...INIT, ...ELSEWHERE, '--ca', 'ca.crt', '--cert', 'old.crt', '--key', 'old.pem'],
    'old.crt expired on',
    '--cert',
  ],
  [
    [...INIT, ...ELSEWHERE, '--ca', 'ca.crt'],
    'verifier does not answer at https://127.0.0.1:1',
    'correct --verifier',
  ],
  [[...INIT, ...ELSEWHERE, '--ca', 'ca.crt', '--out', 'empty'], 'empty already exists', '--force'],
  [
    ['load', 'idle', '--limit', 'x'],
    "argument 'x' is invalid: expected a ratio",
    'assay load idle --help',
  ],
  [['up', '--keep', 'empty'], 'is not a directory', '--keep'],
]

/** Results, bundles, kits, findings and evidence. */
const FILES: readonly BadInput[] = [
  [
    ['coverage', '--result', 'directory'],
    'directory cannot be read: illegal operation on a directory',
    RESULT,
  ],
  [['coverage', '--result', 'object.json'], 'object.json is not a result', RESULT],
  [
    ['report', 'diff', 'binary', 'binary'],
    'binary is not a result of this version of Assay: it is not JSON',
    RESULT,
  ],
  [
    ['report', 'merge', 'directory', '--out', 'merged'],
    'directory/result.json cannot be read: no such file',
    RESULT,
  ],
  [
    ['report', 'show', 'x.y', '--transcripts', 'absent'],
    'absent cannot be read: no such file',
    'npm start',
  ],
  [['bundle', 'x.y', '--from', 'directory'], 'directory/result.json cannot be read', RESULT],
  [['replay', 'cut.zip'], 'cut.zip is not a bundle as it was written', 'ask for the file again'],
  [['certificate', 'verify', 'cut.zip'], 'cut.zip cannot be read as a kit', 'assay certify'],
  [
    [
      'certify',
      '--profile',
      'registrar',
      '--subject',
      'object.json',
      '--key',
      'absent',
      '--out',
      'kit',
    ],
    'the key absent cannot be read',
    '--key',
  ],
  [['fuzz', '--replay', 'directory'], 'directory cannot be read as a finding', FINDING],
  [['fuzz', '--replay', 'object.json'], 'object.json is no finding', FINDING],
  [
    ['fuzz', 'quote', '--command', 'false', '--runs', '3'],
    'the evaluator cannot be used',
    'run its command by hand',
  ],
  [
    ['vectors', 'write', 'empty/below'],
    'cannot create empty/below: not a directory',
    'name another directory',
  ],
  [['inspect', 'quote', 'directory'], 'directory: it is a directory', 'give a file'],
  [['inspect', 'letter', 'empty'], 'unknown kind "letter"', 'use one of quote'],
  [
    ['verify-evidence', '--nonce', 'x', '--quote', 'object.json', '--ak', 'binary'],
    '--quote object.json: quote at byte 0',
    'r<base64 message>',
  ],
]

/** The reference's components and commands. */
const REFERENCE: readonly BadInput[] = [
  [
    ['verifier', '--set', 'port=x'],
    'verifier setting port is "x": it takes a whole number',
    'assay verifier --help',
  ],
  [['verifier', '--set', 'prot=1'], 'verifier has no setting called prot', 'its settings are'],
  [
    ['verifier', '--set', 'state_dir=empty'],
    'the TLS directory empty/cv_ca cannot be made',
    '--set state_dir',
  ],
  [
    ['verifier', '--set', 'ip=203.0.113.1', '--set', 'port=0'],
    'verifier cannot listen at 203.0.113.1:0',
    'give an address of this machine',
  ],
  [
    ['registrar', '--wait-for-ca', '0', '--set', 'state_dir=absent'],
    'the TLS file absent/cv_ca/cacert.crt is missing',
    'start a verifier',
  ],
  [['agent', '--set', 'tcti=tpm'], 'agent setting tcti is "tpm"', 'swtpm:host=HOST,port=PORT'],
  [
    ['push-agent', '--set', 'verifier_url=http://x'],
    'verifier_url is "http://x"',
    'https://HOST:PORT',
  ],
  [['tenant', 'dance'], 'dance is no command of the tenant', 'assay tenant --help'],
  [
    ['tenant', 'cvlist', '--set', 'tls_dir=directory'],
    'the TLS file directory/cacert.crt is missing',
    'start a verifier',
  ],
  [
    ['pki', 'admin', 'x', '--package', 'p.tar', '--tls-dir', 'directory'],
    'the TLS file directory/cacert.crt is missing',
    'start a verifier',
  ],
  [['policy', 'runtime', '--ima-log', 'binary'], '--ima-log binary: entry 0', LIST],
  [['policy', 'runtime', '--ima-log', 'empty'], '--ima-log empty: it is empty', LIST],
  [['policy', 'boot', '--boot-log', 'binary'], '--boot-log binary', 'binary_bios_measurements'],
  [['completion', 'tcsh'], 'there is no completion for the shell "tcsh"', 'bash, zsh, fish'],
  [['dance'], 'unknown verb "dance"', 'assay --help'],
]

export const BAD_INPUTS: readonly BadInput[] = [...RUNS, ...DEPLOYMENTS, ...FILES, ...REFERENCE]
