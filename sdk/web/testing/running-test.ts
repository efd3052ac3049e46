/** What the test that runs has begun, and what went wrong in it beside its own assertions. */
const undos: (() => void)[] = []
const faults: string[] = []

/** Is done when the test has ended; the latest first. */
export const onTestEnd = (undo: () => void): void => void undos.push(undo)

/** Fails the test that runs. What is told again is said once. */
export const reportFault = (fault: string): void => void (faults.includes(fault) || faults.push(fault))

/** Undoes what the test began, all of it, even where something fails. */
export function undoAll(): void {
  for (const undo of undos.splice(0).reverse()) {
    try {
      undo()
    } catch (error) {
      reportFault(`What the test began could not be undone: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
  }
}

/** What went wrong, once. */
export const takeFaults = (): readonly string[] => faults.splice(0)
