import './channels.css'
import { lazyPart, Routes, route } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
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
export function ChannelScreens(props: { readonly channels: ChannelApi }): JSX.Element {
  const { home } = props.channels
  return (
    <Routes
      of={[
        route(home, () => <ConnectionList channels={props.channels} />),
        route(`${home}/new`, () => <ConnectPage channels={props.channels} />),
        route(`${home}/:id`, ({ id }) => <ConnectionPage channels={props.channels} id={id} />),
      ]}
    />
  )
}
