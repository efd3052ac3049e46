import { Button, commonText as common, Dialog, Segments } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { createStore, unwrap } from 'solid-js/store'
import { ChangeList } from './change-list.js'
import { type Agent, type Definition, definitionOf, type Member, type Merge } from './definition.js'
import { memberText, t } from './texts.js'

type Side = 'mine' | 'theirs'

/**
 * After somebody else saved: what only they changed is taken over, and for what both changed the
 * person chooses. Nothing is saved yet.
 */
export function StaleDialog(props: {
  readonly theirs: Agent
  readonly merge: Merge
  readonly onClose: () => void
  readonly onMerged: (definition: Definition) => void
}): JSX.Element {
  const [sides, setSides] = createStore<Partial<Record<Member, Side>>>({})
  const theirs = definitionOf(props.theirs)
  const finish = (): void => {
    const chosen = props.merge.conflicts.filter((member) => unwrap(sides)[member] === 'theirs')
    props.onMerged({ ...props.merge.merged, ...Object.fromEntries(chosen.map((member) => [member, theirs[member]])) } as Definition)
  }
  return (
    <Dialog wide title={t('stale_title')} onClose={props.onClose}>
      <p>{t('stale_text', { number: props.theirs.version })}</p>
      <Show when={props.merge.taken.length > 0}>
        <p class="small">{t('stale_taken', { members: props.merge.taken.map(memberText).join(', ') })}</p>
      </Show>
      <For each={props.merge.conflicts}>
        {(member) => (
          <section class="agents-conflict" aria-label={memberText(member)}>
            <Segments
              label={memberText(member)}
              value={sides[member] ?? 'mine'}
              onInput={(side) => setSides(member, side)}
              choices={[
                { value: 'mine', label: t('mine') },
                { value: 'theirs', label: t('theirs', { number: props.theirs.version }) },
              ]}
            />
            <ChangeList
              label={memberText(member)}
              changes={[{ path: `/${member}`, before: theirs[member], after: props.merge.merged[member] }]}
            />
          </section>
        )}
      </For>
      <footer>
        <Button kind="quiet" onClick={() => props.onClose()}>
          {common('cancel')}
        </Button>
        <Button kind="main" onClick={finish}>
          {t('take_over')}
        </Button>
      </footer>
    </Dialog>
  )
}
