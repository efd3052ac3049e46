/** A chat that is searched. */
export interface Session {
  readonly id: string
  readonly text: string
}

/** A question, and the sessions that have its answer: all of them are needed. */
export interface LabelledQuestion {
  readonly text: string
  readonly evidence: readonly string[]
  /** `words`: it has words of the answer. `meaning`: it says the same in other words. */
  readonly kind: 'words' | 'meaning'
}

const people = 'Ana Bela Carlos Dmitri Elena Farid Greta Hana Igor Jonas Kofi Lena Marek Nadia Omar Priya Quentin Rosa Sven Tara'.split(' ')
const streets = 'Mill Harbour Church Garden Station Castle Bridge Forest River Market'.split(' ')
const pets = 'parrot tortoise ferret hamster goldfish rabbit terrier kitten gecko canary'.split(' ')

/** What is said once about a person, how it is asked for in the same words, and in others. */
const facts: readonly (readonly [said: string, asked: string, otherwise: string])[] = [
  ['{p} bought a car, a blue one, second hand', 'What car did {p} buy?', 'Which automobile does {p} drive?'],
  ['the doctor of {p} is in {s} Street', 'Where is the doctor of {p}?', 'Where does the physician of {p} practise?'],
  ['{p} is allergic to peanuts', 'What is {p} allergic to?', 'Which nuts must {p} avoid?'],
  ['{p} moved to a flat in {s} Street', 'Where did {p} move to?', 'Which apartment does {p} rent?'],
  ['{p} works as a baker and begins at four', 'What does {p} work as?', 'What is the job of {p}?'],
  ['{p} plays the violin in an orchestra', 'What does {p} play in the orchestra?', 'Which instrument is {p} good at?'],
  ['the wedding of {p} is in September', 'When is the wedding of {p}?', 'When does {p} get married?'],
  ['{p} studies chemistry in the evenings', 'What does {p} study?', 'Which subject is {p} taking at university?'],
]

const chatter: readonly string[] = [
  'I met {p} today and we talked about the weather.',
  'Could you help me to write a note to the landlord?',
  'The bus was late again, so I walked along {s} Street.',
  'Let us plan the week: shopping on Monday, the gym on Thursday.',
  '{p} recommended a film that I had never heard of.',
  'How do I get a stain of red wine out of a shirt?',
  'Please make the list shorter and sort it by date.',
  'The recipe needs flour, butter and two eggs.',
  '{p} asked me to look after the plants near {s} Street.',
  'Thank you, that helps a lot. What about the second part?',
]

/**
 * Chats of one person, made up from a seed: each has ten lines, and in one of them something may be
 * said that a question asks for. The people are spoken of everywhere, so that a name alone finds too
 * much.
 */
export function makeSessions(
  count: number,
  seed: number,
): { readonly sessions: readonly Session[]; readonly questions: readonly LabelledQuestion[] } {
  const random = randomNumbers(seed)
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)] as Item
  const fill = (text: string, person = pick(people)): string => text.replaceAll('{p}', person).replaceAll('{s}', pick(streets))
  const lines = Array.from({ length: count }, () => Array.from({ length: 10 }, () => fill(pick(chatter))))
  const places = Array.from({ length: count }, (_, index) => index).sort(() => random() - 0.5)
  const questions: LabelledQuestion[] = []
  const say = (text: string): string => {
    const place = places.shift() ?? 0
    lines[place]?.splice(Math.floor(random() * 10), 1, `By the way, ${text}.`)
    return `session-${place}`
  }
  for (const person of people) {
    for (const [said, asked, otherwise] of [pick(facts.slice(0, 4)), pick(facts.slice(4))]) {
      const evidence = [say(fill(said, person))]
      questions.push({ text: fill(asked, person), evidence, kind: 'words' }, { text: fill(otherwise, person), evidence, kind: 'meaning' })
    }
    const both = [pick(pets), pick(pets)].map((pet) => say(`${person} has adopted a ${pet}`))
    questions.push({ text: `What has ${person} adopted?`, evidence: both, kind: 'words' })
  }
  return { sessions: lines.map((each, index) => ({ id: `session-${index}`, text: each.join('\n') })), questions }
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
