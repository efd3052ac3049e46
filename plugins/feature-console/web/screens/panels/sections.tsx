import type { PanelActions, PanelSection, PanelTextSection, PanelValues } from '@agent-service/sdk/contracts/console-panel'
import { Failure, Skeleton } from '@agent-service/sdk/web'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { ActionButton } from './action-button.js'
import { FormSection } from './form-section.js'
import { memberText } from './member-text.js'
import { callOwnRoute, memberOf } from './own-routes.js'
import { dataKey, type Panel, panelText } from './panel.js'
import type { SectionProps } from './section-props.js'
import { SettingsSection } from './settings-section.js'
import { TableSection } from './table-section.js'

/** A page made from data, from the top down. After each change all of its data is read again. */
export function Sections(props: { readonly panel: Panel; readonly sections: readonly PanelSection[] }): JSX.Element {
  return (
    <For each={props.sections}>
      {(section) => (
        <section class="panels-section">
          <Show when={section.title}>{(title) => <h2 class="h3">{panelText(title())}</h2>}</Show>
          <SectionBody panel={props.panel} section={section} />
        </section>
      )}
    </For>
  )
}

function SectionBody(props: SectionProps<PanelSection>): JSX.Element {
  const { section, panel } = props
  switch (section.kind) {
    case 'text':
      return <TextSection section={section} />
    case 'values':
      return <ValuesSection panel={panel} section={section} />
    case 'table':
      return <TableSection panel={panel} section={section} />
    case 'form':
      return <FormSection panel={panel} section={section} />
    case 'settings':
      return <SettingsSection path={section.section ?? ''} />
    case 'actions':
      return <ActionsSection panel={panel} section={section} />
  }
}

const TextSection = (props: { readonly section: PanelTextSection }): JSX.Element => (
  <p class="panels-text foreign">{panelText(props.section.text)}</p>
)

function ValuesSection(props: SectionProps<PanelValues>): JSX.Element {
  const loaded = createQuery({
    key: () => [...dataKey(props.panel), props.section.source],
    read: (signal) => callOwnRoute(props.panel, 'GET', props.section.source, { signal }),
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
      <For each={props.section.actions}>{(action) => <ActionButton panel={props.panel} action={action} />}</For>
    </div>
  )
}
