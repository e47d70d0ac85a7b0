/** What a package was built from, and when. */
export interface PackageBuild {
  readonly name: string
  readonly sha256: string
  /** The address of the repository, from package.json. */
  readonly repository: string
  readonly commit: string
  /** Of package-lock.json. */
  readonly lockSha256: string
  readonly node: string
  readonly npm: string
  readonly startedAt: Date
  readonly finishedAt: Date
}

/** An in-toto Statement v1 with SLSA provenance v1 as predicate, not signed. */
export function provenanceOf(build: PackageBuild): object {
  const { name, sha256, repository, commit, lockSha256, node, npm } = build
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: { sha256 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:assay:build:npm-pack:1',
        externalParameters: { repository, commit },
        internalParameters: { node, npm },
        resolvedDependencies: [
          { uri: repository, digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lockSha256 } },
        ],
      },
      runDetails: {
        builder: { id: 'urn:assay:builder:local' },
        metadata: {
          startedOn: build.startedAt.toISOString(),
          finishedOn: build.finishedAt.toISOString(),
        },
      },
    },
  }
}
