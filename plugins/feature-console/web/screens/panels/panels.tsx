import './panels.css'
import { EmptyState, Failure, Page, type ScreenProps, Skeleton, usePageTitle } from '@agent-service/sdk/web'
import { createEffect, createMemo, type JSX, Match, on, Show, Switch } from 'solid-js'
import { allPanels, loadPanels, panelsFailure } from '../../app/panel-list.js'
import { FramePanel } from './frame-panel.js'
import { type Panel, panelText, sectionsOf } from './panel.js'
import { Sections } from './sections.js'
import { t } from './texts.js'

/** A page of a plugin. */
export default function Panels(props: ScreenProps): JSX.Element {
  const wanted = createMemo(() => props.params['panelId'])
  const found = (): Panel | undefined => allPanels()?.find(({ id }) => id === wanted())
  // Its plugin may have started since the list was read. Once for each panel: what is read does not have it read again.
  createEffect(
    on(wanted, (id) => {
      if (id !== undefined && !found()) void loadPanels()
    }),
  )
  return (
    <Show when={found()?.id} keyed fallback={<NoPanel />}>
      {(id) => <PanelPage panel={() => found() ?? (allPanels() ?? []).find((panel) => panel.id === id)} />}
    </Show>
  )
}

function PanelPage(props: { readonly panel: () => Panel | undefined }): JSX.Element {
  // The page is made for one panel; a newer reading of the list does not make it again.
  const panel = props.panel()
  if (!panel) return <NoPanel />
  const title = (): string => panelText(panel.title)
  usePageTitle(title)
  return (
    <Page title={title()} lead={panel.description === null ? t('by_plugin', { plugin: panel.plugin_id }) : panelText(panel.description)}>
      <Show when={panel.content.kind === 'component'} fallback={<Sections panel={panel} sections={sectionsOf(panel)} />}>
        <FramePanel panel={panel} />
      </Show>
    </Page>
  )
}

function NoPanel(): JSX.Element {
  return (
    <Switch
      fallback={
        <div class="page">
          <Skeleton lines={6} />
        </div>
      }
    >
      <Match when={panelsFailure()}>
        {(error) => (
          <Page title={t('frame_failed')}>
            <Failure error={error()} onRetry={() => void loadPanels()} />
          </Page>
        )}
      </Match>
      <Match when={allPanels()}>
        <Page title={t('gone')}>
          <EmptyState title={t('gone')} text={t('gone_text')} />
        </Page>
      </Match>
    </Switch>
  )
}
