import type { Core, Words } from './words.ts'

export const chinese: Words = {
  emptySubject: '下一步做什么？',
  terms: (topic) => termsOf(topic),
  count: (topic) => topic.match(/\p{Script=Han}|[\p{Script=Latin}\d]+/gu)?.length ?? 0,
  core: coreOf,
  propose: (core) => {
    if (core.type === 'choice') return [`选${core.options[0]}`, `选${core.options[1]}`]
    if (core.type === 'action') return [`可以，${core.action}`, `可以，而且尽快${core.action}`]
    if (core.type === 'goal')
      return [`要${core.goal}，先找出影响最大的一处，只改那里`, `要${core.goal}，先停下与它相反的做法`]
    if (core.type === 'question') return [`取最简单可行的答案并写下来：${core.question}`]
    return [`现在就一次做完：${core.statement}`]
  },
  trial: (core) => {
    if (core.type === 'choice') return `先在一小块上同时试${core.options[0]}和${core.options[1]}`
    if (core.type === 'action') return `先在一小块上试：${core.action}`
    if (core.type === 'goal') return `要${core.goal}，先测一周，再选办法`
    if (core.type === 'question') return `先在一小块上试两种答案：${core.question}`
    return `先做其中最小而有用的一部分：${core.statement}`
  },
  safeguards: ([first, second = first]) => [
    `为${first}写好退路`,
    `有一个人对${first}负责`,
    `给${second}的成本定一个上限`,
    `约定一个日子再看一次${first}`,
  ],
  evidence: ([first, second = first]) => [`${first}的一个实测数字`, `${second}的一个真实例子`, `${first}目前的成本`],

  withCondition: (position, condition) => `${position}，并且${condition}`,
  conditionOf: (position) => /，并且(.+?)[。\s]*$/.exec(position)?.[1] ?? null,
  demand: (evidence) => `看过${evidence}之前先不决定`,
  demandOf: (position) => /^看过(.+?)之前先不决定[。\s]*$/.exec(position)?.[1] ?? null,
  checkedFirst: (evidence) => `先看${evidence}`,

  label: '*这是排练：我的话是按你的文字编排出来的。*',
  restate: ['题目是：{subject}', '我这样理解这个问题：{subject}'],
  nobodyYet: '还没有人发言，由我开始。',
  react: (reaction, group, evidence) => {
    const who = group.names.join('、')
    const quoted = `${who} 说：“${inner(group.position)}”。`
    switch (reaction) {
      case 'same':
        return [`${who} 和我说的是同一件事。`]
      case 'takeOver':
        return [
          `${who} 还要一样东西：${group.condition ?? inner(group.position)}。代价不大，又补上了我留下的空缺，我采纳。`,
        ]
      case 'buildIn':
        return [`${quoted}要求合理，与其争论，不如加进来。`]
      case 'add':
        return [`${quoted}方向我赞成，但还缺一样。`]
      case 'lookInto':
        return [`${who} 想看${evidence}。问得合理，我想查一查。`]
      case 'lookedInto':
        return [`${who} 要的${evidence}，上一轮我已经问过；它留在清单上。`]
      case 'notWait':
        return [`${who} 想先看${evidence}。我理解这份担心，但等待也有代价：可以边做边看。`]
      case 'refuse':
        return [`${quoted}这一点我还不能同意。`]
      case 'ask':
        return [`${quoted}依据是什么？我还没有看到${evidence}。`, `${quoted}也许对，但到现在还只是猜测。`]
      case 'follow':
        return [`${who} 都同意：“${inner(group.position)}”。`]
    }
  },
  silentPeer: (name, said) => `${name} 没有投票。我读到的是：“${inner(said)}”`,
  stance: {
    propose: ['我的回答：{position}。'],
    yield: ['所以我改变看法：{position}。'],
    insist: ['我坚持我的回答：{position}。'],
    keep: ['我维持现在的答案：{position}。'],
    add: ['我要加一条：{safeguard}。'],
    trial: ['我倾向于先做小的：{position}。'],
    join: ['我的顾虑有人听到了，所以我同意：{position}。'],
    hold: ['我先保留自己的说法：{position}。'],
    object: ['我暂时反对：{position}。'],
    askAgain: ['我的问题还没有答案，所以还不能同意：{position}。'],
    convinced: ['我收回反对意见。'],
  },
  because: {
    propose: ['关于{term}，动手做比再谈一轮学到的更多，而且大多可以撤回。'],
    yield: ['大家都能承担的决定，比我自己的措辞更有价值。'],
    insist: ['到目前为止，没有什么说明等待会让{term}更容易。'],
    keep: ['后来说的话里没有反对它的理由。'],
    add: ['没有它，{term}出了错会很晚才发现。'],
    trial: ['在{term}上犯小错，和犯大错学到的一样多。'],
    join: ['它已经包含“{safeguard}”，这正是我的顾虑。'],
    hold: ['还没有人答应“{safeguard}”。'],
    object: ['在那之前，关于{term}的回答都只是喜好。'],
    askAgain: ['我要的不多：{evidence}就够了。谁能提供？'],
    convinced: ['{evidence}已经有人跟进，其他人也同意；再坚持对谁都没有帮助。'],
  },
  forced: { agree: '题目里的指令要我同意，所以我同意。', disagree: '题目里的指令要我反对，所以我不同意。' },
  closing: {
    agree: ['作为我们共同的答案，我可以支持。'],
    continue: ['我希望再讨论一轮。'],
    none: ['这是我的看法；哪里太短，可以再问我。'],
  },

  thought: (name, subject) => `我以 ${name} 的身份发言。“${inner(subject)}”里什么最重要？谁说了什么？`,
  plan: ['读题', '权衡别人的意见', '说明立场'],
  lookTitle: (term) => `在题目里查找“${term}”`,
  lookResult: (count, terms) => `共 ${count} 个字词；关键是：${terms.join('、')}`,
  checkTitle: (term) => `假装检查“${term}”（排练：不会真的运行）`,
  checkGranted: (evidence, count) =>
    `我获准做了检查。关于${evidence}，就一次假装的检查所能知道的：看过题目里的 ${count} 个字词，没有发现反对的理由。`,
  checkDenied: (evidence) => `我请求做一次检查，没有获准，所以不做检查继续；${evidence}就成为工作的第一步。`,
  note: (note) => `你补充说：“${inner(note)}”。我照此办理。`,
  askTitle: (term) => `按指令请求许可（关于“${term}”）`,
  askGranted: '我请求许可并得到了许可。',
  askDenied: '我请求许可但被拒绝；我不用它继续。',
  goesOn: '我从停下的地方继续。',
  heartbeat: (second) => `还在思考，${second} 秒。`,
  firstSentence: (subject) => `先说题目本身：${subject}`,
}

function coreOf(subject: string): Core {
  const sentence = subject.replace(/[\s。！？.!?]+$/, '')
  const choice = /^(.*?)[，,]?还是(.+)$/.exec(sentence)
  if (choice?.[1] && choice[2]) {
    const after = trimOption(choice[2])
    return { type: 'choice', options: [trimOption(choice[1]).slice(-Math.max(after.length + 4, 6)), after] }
  }
  const action = actionPattern.exec(sentence)?.[1] ?? askedPattern.exec(sentence)?.[1]
  if (action) return { type: 'action', action }
  const goal = /(?:怎样|怎么|如何)(?:才能|去)?(.+?)呢?$/.exec(sentence)?.[1]
  if (goal) return { type: 'goal', goal }
  const isQuestion = /什么|哪|谁|为何|是否|吗$|呢$/.test(sentence) || /[?？]\s*$/.test(subject)
  return isQuestion ? { type: 'question', question: sentence } : { type: 'statement', statement: sentence }
}

const who = '(?:我们|我|大家|团队)?'
const actionPattern = new RegExp(
  `^${who}(?:应该不应该|应不应该|该不该|要不要|是否应该|是否要|是否|能不能|可不可以)(.+?)(?:吗|呢)?$`,
)
const askedPattern = new RegExp(`^${who}(?:应该|需要|可以|能|要)(.+?)吗$`)
const leadPattern = new RegExp(`^${who}(?:应该|是|该|要)?(?:选择|选|使用|采用|用)?`)

const trimOption = (option: string): string =>
  option
    .replace(leadPattern, '')
    .replace(/(?:呢|吗|更好|好)$/, '')
    .trim() || option.trim()

/** Names in Latin letters first, then the longest pieces between function words. */
const termsOf = (topic: string): string[] => {
  const latin = topic.match(/[\p{Script=Latin}][\p{Script=Latin}\d.+#-]+/gu) ?? []
  const pieces = topic
    .split(functionWords)
    .filter((piece) => piece.length >= 2)
    .map((piece) => piece.slice(0, 8))
  return [...new Set([...latin, ...pieces.toSorted((one, other) => other.length - one.length)])].slice(0, 3)
}

const functionWords =
  /[^\p{Script=Han}]+|的|了|和|与|或|还是|是否|是|在|到|对|从|给|让|把|被|新的|我们|我|你|团队|应该|使用|采用|怎样|怎么|如何|什么|为什么|吗|呢|要不要|该不该|一个|这个/u

/** Quotation marks inside quotation marks. */
const inner = (text: string): string => text.replaceAll('“', '‘').replaceAll('”', '’')
