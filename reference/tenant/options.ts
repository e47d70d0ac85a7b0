/** The options of `assay tenant`; a command ignores options that it does not use. */
export interface TenantOptions {
  readonly uuid: string
  readonly targethost?: string
  readonly targetport?: string
  readonly cv?: string
  readonly cvport?: string
  readonly cvid?: string
  readonly cv_targethost?: string
  readonly registrarhost?: string
  readonly registrarport?: string
  readonly file?: string
  readonly cert?: string
  readonly include?: string
  readonly key?: string
  readonly payload?: string
  readonly runtimePolicy?: string
  readonly runtimePolicyName?: string
  readonly runtimePolicyChecksum?: string
  readonly runtimePolicySigKey?: string
  readonly mbPolicy?: string
  readonly mbPolicyName?: string
  readonly tpm_policy?: string
  readonly verify: boolean
  readonly verifierCheck: boolean
  readonly agentApiVersion?: string
  readonly pushModel?: true
  readonly config?: string
  readonly set: readonly string[]
  readonly json?: true
}
