import { createHash } from 'node:crypto'

/** Pseudo-random bytes, the same in each run. */
const bytes = (count: number): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(count / 32) }, (_, index) => createHash('sha256').update(`sample ${index}`).digest()))

const code = `export async function* readLines(source: AsyncIterable<Uint8Array>, limit = 65_536): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of source) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\\r?\\n/)
    rest = lines.pop() ?? ''
    if (rest.length > limit) throw new RangeError(\`A line is longer than \${limit} characters.\`)
    yield* lines
  }
  if (rest !== '') yield rest
}

class InvoiceRepository(val connection: Connection) {
    fun findByCustomerId(customerId: Long): List<Invoice> =
        connection.prepareStatement("SELECT id, total_cents FROM invoices WHERE customer_id = ?").use { statement ->
            statement.setLong(1, customerId)
            statement.executeQuery().map { Invoice(it.getLong("id"), it.getInt("total_cents")) }
        }
}`

/** Texts of many kinds, each long enough for a meaningful count. */
export const sampleTexts: Readonly<Record<string, string>> = {
  English: `The ferry left the harbour a little after six, when the fog had begun to lift and the gulls were already quarrelling over the nets. My
grandmother stood at the rail with her collar turned up and said nothing until the lighthouse was behind us. She had not been back to the island for
thirty years, and I had expected her to talk about the house, the orchard and the narrow road that climbs from the landing to the church. Instead she
asked whether I had remembered to lock the kitchen door, and then, after a while, whether I thought that people could change. I told her that I did not
know. The captain, who had overheard us, laughed and offered her a cup of tea from his flask, which she accepted with great dignity. By the time we saw
the first roofs, the sun had come through, and the water was so clear that you could follow the anchor chain down to the sand.`,
  'technical English': `To restore a backup, stop the service, move the data directory aside, and run the restore command with the path of the archive. The
command verifies the checksum of every file before it writes anything; if one of them does not match, it exits with status 1 and leaves the directory
untouched. Afterwards start the service again and check the log for the line "database opened". Connections are retried with exponential back-off for up
to sixty seconds, so that a database server which is still starting does not cause an error.`,
  German: `Am frühen Morgen fuhr die Straßenbahn noch fast leer durch die Vorstadt, und die Bäckereiverkäuferin an der Ecke stellte gerade die
Brötchenkörbe ins Schaufenster. Der Verwaltungsangestellte Möller blätterte in seinen Unterlagen, weil er für die Sitzung des Bauausschusses noch die
Grundstücksverkehrsgenehmigung und zwei Haushaltsüberschreitungen erläutern musste. Draußen zogen Gewächshäuser, Kleingärten und eine stillgelegte
Zuckerfabrik vorbei. Er überlegte, ob die Geschwindigkeitsbegrenzung vor der Grundschule tatsächlich durchgesetzt würde, und beschloss, künftig lieber
das Fahrrad zu nehmen, sobald die Außentemperaturen es zuließen.`,
  code,
  JSON: JSON.stringify(
    Array.from({ length: 12 }, (_, index) => ({
      id: `0190${index}a5d-ac96-774b-bcce-b302099a80${10 + index}`,
      created_at: `2026-03-${10 + index}T08:${30 + index}:00.000Z`,
      customer: { name: 'Ada Example', email: `ada${index}@example.org`, tags: ['new', 'newsletter'] },
      total_cents: 1999 * (index + 1),
      paid: index % 2 === 0,
      note: null,
    })),
    undefined,
    1,
  ),
  base64: bytes(3_000).toString('base64'),
  'base64 of text': Buffer.from(code).toString('base64'),
  hexadecimal: bytes(2_000).toString('hex'),
  Chinese: `清晨的市场已经热闹起来，卖豆腐的老人把木桶摆在街角，热气在冷空气里慢慢升起。孩子们背着书包从桥上跑过，谁也没有注意到河面上的薄雾。
林医生每天都在这里买两个包子，然后沿着旧城墙走到医院。她说，这座城市变化太快，只有早晨的声音还和二十年前一样。今天她停下来，向老人打听他儿子
的消息，老人笑着摇摇头，说年轻人总有自己的路要走。`,
  Japanese: `朝早く、港の市場ではもう競りが始まっていた。漁師たちは濡れた長靴のまま箱を運び、店主たちは小さな手帳に値段を書きつけている。祖父は
いつものように一番奥の店でコーヒーを飲みながら、昨日の試合の話をしていた。私はそれを聞くともなく聞き、窓の外のカモメを眺めていた。雨が降り始めると、
みんな軒下に集まって、しばらく黙って空を見上げた。`,
  emoji: '👩‍👩‍👧‍👦👨🏽‍🚀🏳️‍🌈👍🏿❤️🇩🇪🇦🇹✨🎉😀😂🤣🙏🔥💯✅❌⚠️🚀🧑‍🏭🦄🥨🫠🪿🇯🇵🏴‍☠️🫱🏻‍🫲🏿🤷🏾‍♀️🧪📎🕰️🛠️',
  Devanagari: `भारत एक विशाल देश है, जहाँ अनेक भाषाएँ बोली जाती हैं और लोग त्योहारों को मिल-जुलकर मनाते हैं। गाँव में किसान सुबह जल्दी उठकर खेतों की ओर निकल
पड़ते हैं, और बच्चों को पाठशाला भेजने से पहले माँ उनके लिए खाना बनाती है। शाम को सब लोग पीपल के पेड़ के नीचे बैठकर पुरानी कहानियाँ सुनते हैं।`,
  Russian: `Рано утром паром отошёл от причала, и туман над рекой начал рассеиваться. Бабушка стояла у поручней, подняв воротник, и молчала до самого
маяка. Она не была на острове тридцать лет, и я думал, что она заговорит о доме, о саде и об узкой дороге к церкви.`,
  Arabic: `تقع المدينة على ضفاف النهر، ويعيش فيها كثير من الناس الذين يعملون في التجارة والزراعة. في الصباح يفتح التجار دكاكينهم ويبدأ السوق بالحركة،
ثم يأتي الأطفال من المدارس ويشترون الخبز الطازج.`,
  Korean: `아침 일찍 항구의 시장에서는 벌써 경매가 시작되었다. 어부들은 젖은 장화를 신은 채 상자를 나르고, 상인들은 작은 수첩에 가격을 적었다. 할아버지는 늘
그랬듯이 가장 안쪽 가게에서 커피를 마시며 어제 경기 이야기를 하고 있었다.`,
  numbers: Array.from({ length: 200 }, (_, index) => ((index * 7_919) / 13).toFixed(index % 6)).join(', '),
}
