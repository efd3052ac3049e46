import { readFile, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { RunStatus } from '../../store/runs/run.js'
import type { RunStepBody } from '../../store/runs/run-step.js'
import { checkTransition, runStateError, statusTransitions, stepTransitions } from './run-states.js'

const readme = new URL('../../../README.md', import.meta.url)
const block = /(<!-- states: begin -->\n)[\s\S]*?(<!-- states: end -->)/

/** The tables as the README has them, made from what the log enforces. */
function tables(): string {
  const row = (from: string, to: readonly string[]): string =>
    `| \`${from}\` | ${to.length === 0 ? 'nothing: it is the end' : to.map((name) => `\`${name}\``).join(', ')} |`
  const table = (head: string, transitions: Readonly<Record<string, readonly string[]>>): string =>
    [`| ${head} | may be followed by |`, '|---|---|', ...Object.entries(transitions).map(([from, to]) => row(from, to))].join('\n')
  return `${table('Status', statusTransitions)}\n\n${table('Step', stepTransitions)}\n`
}

const run = (last: RunStepBody['type'] | null, status: RunStatus = 'running', stepCount = last === null ? 0 : 5) => ({
  id: 'r',
  status,
  last_step: last,
  step_count: stepCount,
})
const step = (type: RunStepBody['type']): RunStepBody => ({ type }) as RunStepBody

describe('the states of a run', () => {
  it('are those of the README (UPDATE_DOCS=1 writes them)', async () => {
    const text = await readFile(readme, 'utf8')
    const wanted = text.replace(block, `$1${tables()}$2`)
    expect(text, 'the README has no block for the states').to.match(block)
    if (process.env['UPDATE_DOCS'] === '1' && wanted !== text) await writeFile(readme, wanted)
    else expect(text).to.equal(wanted)
  })

  it('allow the transitions of the tables, and no others', () => {
    const types = Object.keys(stepTransitions).filter((name): name is RunStepBody['type'] => name !== 'begin')
    for (const last of [null, ...types]) {
      for (const next of types) {
        const check = () => checkTransition(run(last), { status: 'running', steps: [step(next)] })
        if (stepTransitions[last ?? 'begin'].includes(next)) expect(check, `${last} → ${next}`).to.not.throw()
        else expect(check, `${last} → ${next}`).to.throw().with.property('code', runStateError.code)
      }
    }
    for (const from of Object.keys(statusTransitions) as RunStatus[]) {
      for (const to of Object.keys(statusTransitions) as RunStatus[]) {
        const check = () => checkTransition(run('run.started', from), { status: to, steps: [] })
        if (from === to || statusTransitions[from].includes(to)) expect(check, `${from} → ${to}`).to.not.throw()
        else expect(check, `${from} → ${to}`).to.throw().with.property('code', runStateError.code)
      }
    }
  })

  it('check every step of a transition, and let an older run without a known step continue', () => {
    const steps = [step('model.completed'), step('tool.planned'), step('run.started')]
    expect(() => checkTransition(run('model.requested'), { status: 'running', steps })).to.throw(/tool\.planned to run\.started/)
    expect(() => checkTransition(run(null, 'running', 3), { status: 'running', steps: [step('tool.completed')] })).to.not.throw()
  })

  it('lead to an end from everywhere', () => {
    const reach = (from: RunStepBody['type'] | 'begin', seen: Set<string>): boolean => {
      if (from === 'run.finished') return true
      if (seen.has(from)) return false
      seen.add(from)
      return stepTransitions[from].some((next) => reach(next, seen))
    }
    for (const from of Object.keys(stepTransitions) as (keyof typeof stepTransitions)[]) expect(reach(from, new Set()), from).to.equal(true)
  })
})
