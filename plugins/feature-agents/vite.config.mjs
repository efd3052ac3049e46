/**
 * What is loaded together stands in one file, since a browser asks a service for six at a time: what runs beside every screen, with what
 * begins a message (but for the list of models, which is opened first), lists chats and what waits, and shows files of a message; and the
 * turns of a chat (but for those that failed).
 */
const chunks = [
  {
    name: 'messages',
    test: /\/web\/(composer\/(?!giving|dictation|slash)|composer\/slash\/slash\.ts|choices\/(?!model-(choices|list))|outbox|live-chat\/known-tools|turns\/asked\/asked-call|chats\/(?!bin)|chats\/bin\/deleted-here|beside\/beside\.ts|turns\/files\/(attached-files|texts)|screens\/chat\/texts)/,
    priority: 2,
  },
  { name: 'turns', test: /\/web\/(turns|live-chat|failures)\/(?!failed-turn)/, minShareCount: 2, priority: 1 },
]

/** What the build of the screens has beside what every plugin has. */
export default { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } }
