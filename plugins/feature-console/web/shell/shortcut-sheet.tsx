import { type Command, Sheet, textOf } from '@agent-service/sdk/web'
import { allCommands, keyLabels } from '@agent-service/sdk/web/host'
import { For, type JSX } from 'solid-js'
import { t } from './texts.js'

/** Every shortcut that works now. */
export function ShortcutSheet(props: { readonly onClose: () => void }): JSX.Element {
  return (
    <Sheet title={t('shortcuts')} onClose={props.onClose}>
      <For each={[...grouped()]}>
        {([heading, commands]) => (
          <section>
            <h3 class="keys-head">{heading}</h3>
            <dl class="keys">
              <For each={commands}>
                {(command) => (
                  <>
                    <dt>{textOf(command.title)}</dt>
                    <dd>
                      <For each={keyLabels(command.keys ?? '')}>{(label) => <kbd>{label}</kbd>}</For>
                    </dd>
                  </>
                )}
              </For>
            </dl>
          </section>
        )}
      </For>
    </Sheet>
  )
}

function grouped(): ReadonlyMap<string, readonly Command[]> {
  const groups = new Map<string, Command[]>()
  for (const command of allCommands()) {
    if (command.keys === undefined) continue
    const heading = textOf(command.group)
    groups.set(heading, [...(groups.get(heading) ?? []), command])
  }
  return groups
}
