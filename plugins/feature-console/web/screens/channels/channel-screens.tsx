import './channels.css'
import { type JSX, lazy, Match, Suspense, Switch } from 'solid-js'
import { currentPath } from '../../app/router.js'
import type { ChannelApi } from './common/channel-api.js'
import { ConnectionList } from './list/connection-list.js'

// Each is loaded with its page.
const ConnectionPage = lazy(async () => ({ default: (await import('./connection/connection-page.js')).ConnectionPage }))
const ConnectPage = lazy(async () => ({ default: (await import('./connect/connect-page.js')).ConnectPage }))

/** The list, the way to a new connection, and the page of one; for own connections and for shared ones. */
export function ChannelScreens(props: { readonly channels: ChannelApi; readonly connectionId: string | undefined }): JSX.Element {
  return (
    <Suspense>
      <Switch fallback={<ConnectionList channels={props.channels} />}>
        <Match when={currentPath() === `${props.channels.home}/new`}>
          <ConnectPage channels={props.channels} />
        </Match>
        <Match when={props.connectionId} keyed>
          {(id) => <ConnectionPage channels={props.channels} id={id} />}
        </Match>
      </Switch>
    </Suspense>
  )
}
