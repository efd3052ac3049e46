import { type DiffLine, lineDiff, patchLines } from '@agent-service/sdk/web'
import { VirtualRows } from '@agent-service/sdk/web/lists'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import { type Definition, isSame, type Member, members } from './definition.js'
import { memberText, t } from './texts.js'

export type Change = Schemas['AgentChange']

/** The differences of two definitions by member, as the service gives them for versions. */
export const compareDefinitions = (before: Definition, after: Definition, only: readonly Member[] = members): readonly Change[] =>
  only
    .filter((member) => !isSame(before[member], after[member]))
    .map((member) => ({ path: `/${member}`, before: before[member], after: after[member] }))

/** What changed, member by member: texts by line, all else as before and after. */
export function ChangeList(props: { readonly changes: readonly Change[]; readonly label: string }): JSX.Element {
  return (
    <dl class="agents-changes" aria-label={props.label}>
      <For each={props.changes}>
        {(change) => (
          <div>
            <dt>{nameOf(change.path)}</dt>
            <dd>
              <section class="agents-diff" tabindex="0" aria-label={nameOf(change.path)}>
                <Lines change={change} />
              </section>
            </dd>
          </div>
        )}
      </For>
    </dl>
  )
}

/** Texts with more lines are a list of which only what is near is made. */
const maxWhole = 200

function Lines(props: { readonly change: Change }): JSX.Element {
  const lines = createMemo(() => linesOf(props.change))
  return (
    <Show
      when={lines().length > maxWhole}
      fallback={
        <pre class="foreign">
          <For each={lines()}>{(line) => <Line line={line} />}</For>
        </pre>
      }
    >
      <div class="foreign">
        <VirtualRows items={lines()} label={nameOf(props.change.path)} text={({ text }) => text} rowHeight={20} class="agents-lines">
          {(line) => <Line line={line} />}
        </VirtualRows>
      </div>
    </Show>
  )
}

function Line(props: { readonly line: DiffLine }): JSX.Element {
  return (
    <Switch fallback={<span>{`  ${props.line.text}\n`}</span>}>
      <Match when={props.line.kind === 'added'}>
        <ins>
          <span class="sr">{t('added')}</span>
          {`+ ${props.line.text}\n`}
        </ins>
      </Match>
      <Match when={props.line.kind === 'removed'}>
        <del>
          <span class="sr">{t('removed')}</span>
          {`- ${props.line.text}\n`}
        </del>
      </Match>
      <Match when={props.line.kind === 'place'}>
        <span class="t3">{`${props.line.text}\n`}</span>
      </Match>
    </Switch>
  )
}

function linesOf({ before, after, patch }: Change): readonly DiffLine[] {
  if (patch !== undefined) return patchLines(patch)
  return lineDiff(textOf(before), textOf(after))
}

const textOf = (value: unknown): string => {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n')
  return JSON.stringify(value, null, 2)
}

/** `Approval · send_mail` for the pointer `/approval/send_mail`. */
function nameOf(pointer: string): string {
  const [member = '', ...rest] = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return [memberText(member), ...rest.filter((part) => part !== 'enabled')].join(' · ')
}
