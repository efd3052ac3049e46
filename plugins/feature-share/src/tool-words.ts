import type { ToolDisplay } from '@agent-service/sdk/contracts/tool'

/** What people read of the calls of each tool. */
export const toolWords = {
  share_file: {
    icon: 'share',
    words: {
      en: {
        title: 'Share a file',
        ask: 'Share {path} by a link',
        running: 'Sharing {path}',
        done: 'Shared {path} by a link',
        failed: 'Could not share {path}',
      },
      de: {
        title: 'Datei teilen',
        ask: '{path} über einen Link teilen',
        running: 'Teilt {path}',
        done: '{path} über einen Link geteilt',
        failed: 'Konnte {path} nicht teilen',
      },
    },
  },
  share_chat: {
    icon: 'share',
    words: {
      en: {
        title: 'Share this chat',
        ask: 'Share this chat by a link',
        running: 'Sharing this chat',
        done: 'Shared this chat by a link',
        failed: 'Could not share this chat',
      },
      de: {
        title: 'Diesen Chat teilen',
        ask: 'Diesen Chat über einen Link teilen',
        running: 'Teilt diesen Chat',
        done: 'Diesen Chat über einen Link geteilt',
        failed: 'Konnte diesen Chat nicht teilen',
      },
    },
  },
} as const satisfies Readonly<Record<string, ToolDisplay>>
