import type { PanelForm } from '@agent-service/sdk/contracts/console-panel'
import { Failure, Skeleton, showToast } from '@agent-service/sdk/web'
import { type FormSchema, type FormValue, SchemaForm } from '@agent-service/sdk/web/forms'
import { createMemo, createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { createQuery, invalidate } from '../../api/index.js'
import { callOwnRoute } from './own-routes.js'
import { dataKey, panelText } from './panel.js'
import type { SectionProps } from './section-props.js'

/** A form that sends what fits its schema to a route of the plugin. What was typed stays when that fails. */
export function FormSection(props: SectionProps<PanelForm>): JSX.Element {
  const { panel, section } = props
  const names = Object.keys((section.schema as unknown as FormSchema).properties ?? {})
  const readForm = async (source: string, signal: AbortSignal): Promise<FormValue> => {
    const value = await callOwnRoute(panel, 'GET', source, { signal })
    const entries = Object.entries(typeof value === 'object' && value !== null ? value : {})
    return Object.fromEntries(entries.filter(([name]) => names.includes(name)))
  }
  const { load } = section
  const loaded = createQuery<FormValue>({
    key: () => (load === undefined ? undefined : [...dataKey(panel), 'form', load]),
    follow: false,
    read: (signal) => readForm(load ?? '', signal),
  })
  /** Of a form that begins empty: another one after each sending. */
  const [blank, setBlank] = createSignal<FormValue>({})
  const begun = (): FormValue | undefined => (load === undefined ? blank() : loaded.value())
  const schema = createMemo((): FormSchema => translated(section))
  const submit = async (value: FormValue): Promise<void> => {
    await callOwnRoute(panel, section.save.method, section.save.path, { body: value })
    showToast(panelText(section.done))
    invalidate(dataKey(panel))
    setBlank({})
  }
  return (
    <Switch fallback={<Skeleton lines={names.length * 2} />}>
      <Match when={loaded.error()}>{(error) => <Failure error={error()} onRetry={() => void loaded.reload()} />}</Match>
      <Match when={begun()}>
        <div class="panels-form">
          <Show when={begun()} keyed>
            {(value) => <SchemaForm schema={schema()} value={value} action={panelText(section.action)} onSubmit={submit} />}
          </Show>
        </div>
      </Match>
    </Switch>
  )
}

/** The schema with the names of its fields in the person's language. */
function translated({ schema, fields = {} }: PanelForm): FormSchema {
  const given = schema as unknown as FormSchema
  const properties = Object.entries(given.properties ?? {}).map(([name, property]) => {
    const field = fields[name]
    if (!field) return [name, property] as const
    return [name, { ...property, title: panelText(field.label), ...(field.help && { description: panelText(field.help) }) }] as const
  })
  return { ...given, properties: Object.fromEntries(properties) }
}
