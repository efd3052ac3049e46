/** What `/readyz` says. */
export interface Readiness {
  /** The first start is over. */
  setReady(): void
  /** Something is missing or broke; undefined when it is mended. Before {@link setReady} it names the step of the start. */
  setStep(step: string | undefined): void
  setDraining(): void
  draining(): boolean
  /** The step of the start; undefined once the service was ready. */
  startingStep(): string | undefined
  /** Undefined: ready. */
  obstacle(): { readonly status: 'starting' | 'draining' | 'impaired'; readonly step: string } | undefined
}

/** Makes the readiness of a service that is just starting. */
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
