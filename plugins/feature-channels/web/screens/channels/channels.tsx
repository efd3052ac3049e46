import type { JSX } from 'solid-js'
import { ChannelScreens } from '../../channels/channel-screens.js'
import { ownChannels } from '../../channels/common/channel-api.js'

/** The person's own connections to channels. */
export default function Channels(): JSX.Element {
  return <ChannelScreens channels={ownChannels} />
}
