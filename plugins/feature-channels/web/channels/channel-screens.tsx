import './channels.css'
import { currentPath, lazyPart } from '@agent-service/sdk/web'
import { type JSX, Match, Switch } from 'solid-js'
import type { ChannelApi } from './common/channel-api.js'
import { ConnectionList } from './list/connection-list.js'

// Each is loaded with its page.
const ConnectionPage = lazyPart(
  () => import('./connection/connection-page.js'),
  (module) => module.ConnectionPage,
)
const ConnectPage = lazyPart(
  () => import('./connect/connect-page.js'),
  (module) => module.ConnectPage,
)

/** The list, the way to a new connection, and the page of one; for own connections and for shared ones. */
export function ChannelScreens(props: { readonly channels: ChannelApi; readonly connectionId: string | undefined }): JSX.Element {
  return (
    <Switch fallback={<ConnectionList channels={props.channels} />}>
      <Match when={currentPath() === `${props.channels.home}/new`}>
        <ConnectPage channels={props.channels} />
      </Match>
      <Match when={props.connectionId} keyed>
        {(id) => <ConnectionPage channels={props.channels} id={id} />}
      </Match>
    </Switch>
  )
}
