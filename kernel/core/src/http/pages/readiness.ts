export type Readiness = ReturnType<typeof createReadiness>

/** The state that `/readyz` reports, at first that of a service that is starting. */
export function createReadiness() {
  let started = false
  let draining = false
  let step: string | undefined
  return {
    /** The start is complete. */
    setReady(): void {
      started = true
      step = undefined
    },
    /**
     * Before `setReady`: the step of the start. Afterwards: what is impaired, `undefined` when it
     * is repaired.
     */
    setStep(next: string | undefined): void {
      step = next
    },
    setDraining(): void {
      draining = true
    },
    draining: (): boolean => draining,
    /** The step of the start; `undefined` once the service was ready. */
    startingStep: (): string | undefined => (started ? undefined : (step ?? 'starting')),
    /** Why the service is not ready; `undefined` if it is. */
    obstacle(): { readonly status: 'starting' | 'draining' | 'impaired'; readonly step: string } | undefined {
      if (draining) return { status: 'draining', step: 'draining' }
      if (!started) return { status: 'starting', step: step ?? 'starting' }
      return step === undefined ? undefined : { status: 'impaired', step }
    },
  }
}
