/** The state that `/readyz` reports. */
export interface Readiness {
  /** The start is complete. */
  setReady(): void
  /**
   * Before {@link setReady}: the step of the start. Afterwards: what is impaired, `undefined` when
   * it is repaired.
   */
  setStep(step: string | undefined): void
  setDraining(): void
  draining(): boolean
  /** The step of the start; `undefined` once the service was ready. */
  startingStep(): string | undefined
  /** Why the service is not ready; `undefined` if it is. */
  obstacle(): { readonly status: 'starting' | 'draining' | 'impaired'; readonly step: string } | undefined
}

/** Makes the readiness of a service that is starting. */
export function createReadiness(): Readiness {
  let started = false
  let draining = false
  let step: string | undefined
  return {
    setReady() {
      started = true
      step = undefined
    },
    setStep(next) {
      step = next
    },
    setDraining() {
      draining = true
    },
    draining: () => draining,
    startingStep: () => (started ? undefined : (step ?? 'starting')),
    obstacle() {
      if (draining) return { status: 'draining', step: 'draining' }
      if (!started) return { status: 'starting', step: step ?? 'starting' }
      return step === undefined ? undefined : { status: 'impaired', step }
    },
  }
}
