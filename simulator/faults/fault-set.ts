import type { Bends, Fault, FaultSet, Place } from './fault.ts'

type Truth<P extends Place> = Parameters<Required<Bends>[P]>[0]
type Bend<P extends Place> = (truth: Truth<P>) => Truth<P>

/** No faults yet. */
export function faultSet(): FaultSet {
  const faults: Fault[] = []
  return {
    add: (fault) => void faults.push(fault),
    bend: <P extends Place>(place: P, truth: Truth<P>) =>
      faults.reduce((handed, { bends }) => {
        const bend = bends[place] as Bend<P> | undefined
        return bend === undefined ? handed : bend(handed)
      }, truth),
  }
}
