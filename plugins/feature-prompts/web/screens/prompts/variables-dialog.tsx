import { Button, Dialog, TextArea, commonText as ui } from '@agent-service/sdk/web'
import { createSignal, For, type JSX } from 'solid-js'
import { t } from './texts.js'
import type { PromptVariable } from './variables.js'

/** Asks for what a prompt needs. Without a value it is left empty. */
export function VariablesDialog(props: {
  readonly title: string
  readonly variables: readonly PromptVariable[]
  readonly onEnd: (values: Readonly<Record<string, string>> | undefined) => void
}): JSX.Element {
  const [values, setValues] = createSignal<Readonly<Record<string, string>>>(
    Object.fromEntries(props.variables.map(({ name, preset }) => [name, preset])),
  )
  return (
    <Dialog title={props.title} onClose={() => props.onEnd(undefined)}>
      <form
        class="body"
        ref={(element) => queueMicrotask(() => element.querySelector('textarea')?.select())}
        onSubmit={(event) => {
          event.preventDefault()
          props.onEnd(values())
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || !(event.target instanceof HTMLTextAreaElement)) return
          event.preventDefault()
          props.onEnd(values())
        }}
      >
        <For each={props.variables}>
          {({ name }) => (
            <TextArea
              label={name}
              rows={1}
              value={values()[name] ?? ''}
              onInput={(value) => setValues((before) => ({ ...before, [name]: value }))}
            />
          )}
        </For>
        <p class="help">{t('variables_help')}</p>
        <footer>
          <Button kind="quiet" onClick={() => props.onEnd(undefined)}>
            {ui('cancel')}
          </Button>
          <Button kind="main" type="submit">
            {t('insert')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
