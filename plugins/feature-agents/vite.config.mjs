/**
 * What is loaded together stands in one file, since a browser asks a service for six at a time: what begins a message (but for
 * the list of models, which is opened first) and lists what waits, what several screens show of answers and chats (but for deleted ones),
 * and the turns of a chat (but for those that failed).
 */
const chunks = [
  {
    name: 'composer',
    test: /\/web\/(composer\/(?!giving|dictation|slash)|composer\/slash\/slash\.ts|choices\/(?!model-(choices|list))|outbox|live-chat\/known-tools|turns\/asked\/asked-call)/,
    priority: 2,
  },
  {
    name: 'answers',
    test: /\/web\/(beside|chats\/(?!bin)|turns\/files\/attached-files|screens\/chat\/)/,
    minShareCount: 2,
    priority: 2,
  },
  { name: 'turns', test: /\/web\/(turns|live-chat|failures)\/(?!failed-turn)/, minShareCount: 2, priority: 1 },
]

/** What the build of the screens has beside what every plugin has. */
export default { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } }
