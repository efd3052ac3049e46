import type { PolicyEngine } from '@agent-service/sdk/contracts/policy-engine'

/** A call of an engine. */
export type EngineCall = 'load' | 'decide' | 'rehearse' | 'check'

/** The same engine with a wrapper around each call. */
export function interceptEngine(
  engine: PolicyEngine,
  around: <Answer>(kind: EngineCall, work: () => Promise<Answer>) => Promise<Answer>,
): PolicyEngine {
  return {
    ...engine,
    load: (request, call) => around('load', () => engine.load(request, call)),
    decide: (request, call) => around('decide', () => engine.decide(request, call)),
    rehearse: (request, call) => around('rehearse', () => engine.rehearse(request, call)),
    check: (request, call) => around('check', () => engine.check(request, call)),
  }
}
