import type { ScreenProps } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import { ChannelScreens } from '../../channels/channel-screens.js'
import { sharedChannels } from '../../channels/common/channel-api.js'

/** The connections that administrators share: people pair themselves, and each person's own agent answers them. */
export default function AdminChannels(props: ScreenProps): JSX.Element {
  return <ChannelScreens channels={sharedChannels} connectionId={props.params['connectionId']} />
}
