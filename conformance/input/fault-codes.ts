/**
 * Everything that can stand between Assay and a deployment, by a code that stays the same from release to release:
 * messages are for people and may be reworded, codes are for scripts, issues and manuals.
 */
export const FAULT_CODES = {
  'D-TARGET-UNREADABLE': 'the target file is not there, or may not be read',
  'D-TARGET-YAML': 'the target file is not YAML, or uses a part of YAML that it may not',
  'D-TARGET-KEY': 'the target file holds an unknown key, or lacks one',
  'D-TARGET-TYPE': 'a value of the target file is not of the kind that its key takes',
  'D-TARGET-PLACEHOLDER': 'a placeholder of the target file stands for nothing',
  'D-TARGET-URL': 'the url of a role is not an https URL of scheme, host and port',
  'D-TARGET-LIMITS': 'a time of the target file is longer than certification allows',
  'D-LOOPBACK': 'a url names another machine, without leave to send requests there',
  'D-PORT-BUSY': 'somebody else listens on the port of a role that shall be started',
  'D-START-NOT-FOUND': 'the command of a role, or its directory, is not there',
  'D-START-EXITED': 'a role that was started has ended by itself',
  'D-START-NOT-READY': 'a role that was started did not answer in its time',
  'D-HOOK-MISSING': 'the target file lacks a hook that something else in it needs',
  'D-HOOK-FAILED': 'the command of a hook could not be run, failed, or did not end in its time',
  'D-CERT-UNREADABLE': 'a certificate or key file is not there, or holds something else',
  'D-CERT-EXPIRED': 'a certificate is not valid now',
  'D-CERT-EKU': 'a certificate is not for what it is used for',
  'D-CERT-KEY': 'a key does not belong to its certificate, or cannot be used',
  'D-CERT-REFUSED': "the deployment does not accept the administrator's certificate",
  'D-TLS-UNREACHABLE': 'a role does not answer at its url',
  'D-TLS-PLAIN': 'what listens at a url does not speak HTTPS',
  'D-TLS-CA': 'the CA of the target file did not issue the certificate of a server',
  'D-TLS-NAME': 'the certificate of a server is for another name',
  'D-TLS-HANDSHAKE': 'a server breaks off the TLS handshake',
  'D-CLOCK-SKEW': 'the clock of a server and the clock here do not agree',
  'D-URLS-SWAPPED': "the urls of registrar and verifier stand in each other's place",
  'D-VERSION': 'a version to be judged is not what a server advertises',
  'D-MODE': 'the verifier has no push endpoints, and version 3.0 is to be judged',
  'D-DIALECT': 'the deployment refuses the form in which the target file says it is spoken to',
  'D-EK-TRUST': 'the registrar refuses the EK certificates of the virtual TPMs',
} as const

export type FaultCode = keyof typeof FAULT_CODES
