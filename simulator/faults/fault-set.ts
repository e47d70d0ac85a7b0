import type { Mutations, Place } from '../platform/outputs.ts'
import type { Fault, FaultSet } from './fault.ts'

type Output<P extends Place> = Parameters<Required<Mutations>[P]>[0]
type Mutation<P extends Place> = (output: Output<P>) => Output<P>

/** Creates an empty set of faults. */
export function faultSet(): FaultSet {
  const faults: Fault[] = []
  return {
    add: (fault) => void faults.push(fault),
    mutate: <P extends Place>(place: P, output: Output<P>) =>
      faults.reduce((handed, { mutations }) => {
        const mutation = mutations[place] as Mutation<P> | undefined
        return mutation === undefined ? handed : mutation(handed)
      }, output),
  }
}
