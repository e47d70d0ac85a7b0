/**
 * Set-up faults by code. A code never changes its meaning between releases: scripts, issues and manuals may rely on
 * it. Messages may be reworded.
 */
export const FAULT_CODES = {
  'D-TARGET-UNREADABLE': 'the target file does not exist, or cannot be read',
  'D-TARGET-YAML': 'the target file is not YAML, or uses a part of YAML that it may not',
  'D-TARGET-KEY': 'the target file has an unknown key, or lacks a required one',
  'D-TARGET-TYPE': 'a value of the target file has the wrong type for its key',
  'D-TARGET-PLACEHOLDER': 'a placeholder of the target file has no value',
  'D-TARGET-URL': 'the url of a role is not an https URL of scheme, host and port',
  'D-TARGET-LIMITS': 'a time of the target file is longer than certification allows',
  'D-LOOPBACK': 'a url names another machine, and the target file does not allow that',
  'D-SWTPM': 'swtpm is not installed, and every machine of a scenario needs a virtual TPM',
  'D-PORT-BUSY': 'another process listens on the port of a role that Assay starts',
  'D-START-NOT-FOUND': 'the command of a role, or its directory, does not exist',
  'D-START-EXITED': 'a role exited after its start',
  'D-START-NOT-READY': 'a role did not answer in time after its start',
  'D-HOOK-MISSING': 'the target file lacks a hook that another entry needs',
  'D-HOOK-FAILED': 'the command of a hook could not be run, failed, or did not end in time',
  'D-CERT-UNREADABLE': 'a certificate or key file does not exist, or has other contents',
  'D-CERT-EXPIRED': 'a certificate is not valid now',
  'D-CERT-EKU': 'the extended key usage of a certificate does not allow its use',
  'D-CERT-KEY': 'a key does not belong to its certificate, or cannot be used',
  'D-CERT-REFUSED': "the deployment does not accept the administrator's certificate",
  'D-TLS-UNREACHABLE': 'a role does not answer at its url',
  'D-TLS-PLAIN': 'what listens at a url does not speak HTTPS',
  'D-TLS-CA': 'the CA of the target file did not issue the certificate of a server',
  'D-TLS-NAME': 'the certificate of a server is for another name',
  'D-TLS-HANDSHAKE': 'a server breaks off the TLS handshake',
  'D-CLOCK-SKEW': 'the clock of a server and the clock here do not agree',
  'D-URLS-SWAPPED': 'the urls of registrar and verifier are exchanged',
  'D-VERSION': 'a server does not advertise a version that is to be tested',
  'D-MODE': 'the verifier has no push endpoints, and version 3.0 is to be tested',
  'D-DIALECT': 'the deployment rejects requests in the dialect that the target file names',
  'D-CAPABILITY':
    'the deployment has a capability that the target file does not claim, or lacks one that it claims',
  'D-FUNCTION': 'the answers of a server do not depend on the request, or no agent can be enrolled',
  'D-EK-TRUST': 'the registrar rejects the EK certificates of the virtual TPMs',
} as const

export type FaultCode = keyof typeof FAULT_CODES
