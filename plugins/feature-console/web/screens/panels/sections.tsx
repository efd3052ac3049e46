import type { PanelActions, PanelSection, PanelTextSection, PanelValues } from '@agent-service/sdk/contracts/console-panel'
import { createLoaded, Failure, Skeleton } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { ActionButton } from './action-button.js'
import { FormSection } from './form-section.js'
import { memberText } from './member-text.js'
import { callOwnRoute, memberOf } from './own-routes.js'
import { type Panel, panelText } from './panel.js'
import type { SectionProps } from './section-props.js'
import { SettingsSection } from './settings-section.js'
import { TableSection } from './table-section.js'

/** A page made from data, from the top down. After each change all of its data is read again. */
export function Sections(props: { readonly panel: Panel; readonly sections: readonly PanelSection[] }): JSX.Element {
  const [version, setVersion] = createSignal(0)
  const onChanged = (): void => void setVersion((now) => now + 1)
  return (
    <For each={props.sections}>
      {(section) => (
        <section class="panels-section">
          <Show when={section.title}>{(title) => <h2 class="h3">{panelText(title())}</h2>}</Show>
          <SectionBody panel={props.panel} section={section} version={version()} onChanged={onChanged} />
        </section>
      )}
    </For>
  )
}

function SectionBody(props: SectionProps<PanelSection>): JSX.Element {
  const { section, panel, onChanged } = props
  const common = {
    panel,
    onChanged,
    get version() {
      return props.version
    },
  }
  switch (section.kind) {
    case 'text':
      return <TextSection section={section} />
    case 'values':
      return <ValuesSection {...common} version={props.version} section={section} />
    case 'table':
      return <TableSection {...common} version={props.version} section={section} />
    case 'form':
      return <FormSection {...common} version={props.version} section={section} />
    case 'settings':
      return <SettingsSection path={section.section ?? ''} />
    case 'actions':
      return <ActionsSection {...common} version={props.version} section={section} />
  }
}

const TextSection = (props: { readonly section: PanelTextSection }): JSX.Element => (
  <p class="panels-text foreign">{panelText(props.section.text)}</p>
)

function ValuesSection(props: SectionProps<PanelValues>): JSX.Element {
  const loaded = createLoaded((signal) => {
    void props.version
    return callOwnRoute(props.panel, 'GET', props.section.source, { signal })
  })
  return (
    <Switch fallback={<Skeleton lines={props.section.values.length} />}>
      <Match when={loaded.error()}>{(error) => <Failure error={error()} onRetry={() => void loaded.reload()} />}</Match>
      <Match when={loaded.value() !== undefined}>
        <dl class="panels-values">
          <For each={props.section.values}>
            {(each) => (
              <div>
                <dt>{panelText(each.label)}</dt>
                <dd classList={{ mono: each.format === 'code' }}>
                  <bdi>{memberText(memberOf(loaded.value(), each.member), each.format)}</bdi>
                </dd>
              </div>
            )}
          </For>
        </dl>
      </Match>
    </Switch>
  )
}

function ActionsSection(props: SectionProps<PanelActions>): JSX.Element {
  return (
    <div class="row panels-actions">
      <For each={props.section.actions}>{(action) => <ActionButton panel={props.panel} action={action} onChanged={props.onChanged} />}</For>
    </div>
  )
}
