import type { JSX } from 'solid-js'
import { ChannelScreens } from '../../channels/channel-screens.js'
import { sharedChannels } from '../../channels/common/channel-api.js'

/** The connections that administrators share: people pair themselves, and each person's own agent answers them. */
export default function AdminChannels(): JSX.Element {
  return <ChannelScreens channels={sharedChannels} />
}
