import type { Core, Words } from './words.ts'

export const chinese: Words = {
  emptySubject: '下一步做什么',
  terms: (topic) => rank(topic),
  count: (topic) => topic.match(/\p{Script=Han}|[\p{Script=Latin}\d]+/gu)?.length ?? 0,
  core: readCore,
  propose: (core, number) => {
    if (core.type === 'choice') return `选“${core.options[number % 2] ?? core.options[0]}”`
    if (core.type === 'action') return `可以：${core.action}`
    if (core.type === 'goal') return `本周就做对“${core.goal}”最有用的一步`
    if (core.type === 'question') return `今天就用最简单可行的答案解决“${core.question}”`
    return `现在就一次做完：${core.statement}`
  },
  trial: (core) => {
    if (core.type === 'choice') return `先在一小块上同时试“${core.options[0]}”和“${core.options[1]}”`
    if (core.type === 'action') return `先在一小块上试：${core.action}`
    if (core.type === 'goal') return `先测量，再决定怎样做“${core.goal}”`
    if (core.type === 'question') return `先在一小块上试“${core.question}”的两种答案`
    return `先做“${core.statement}”里最小而有用的一部分`
  },
  safeguards: ([first, second = first]) => [
    `写好“${first}”出错时的退路`,
    `指定一个人对“${first}”负责`,
    `给“${second}”的成本定一个上限`,
    `约定一个日子再看一次“${first}”`,
  ],
  evidence: ([first, second = first]) => [
    `一个关于“${first}”的实测数字`,
    `一个“${second}”真正起作用的例子`,
    `“${first}”现在要花多少成本`,
  ],

  withCondition: (position, condition) => `${position}，并且${condition}`,
  conditionOf: (position) => /，并且(.+?)[。\s]*$/.exec(position)?.[1] ?? null,
  demand: (evidence) => `没有看到${evidence}之前先不决定`,
  demandOf: (position) => /^没有看到(.+?)之前先不决定[。\s]*$/.exec(position)?.[1] ?? null,
  checkedFirst: (evidence) => `先看${evidence}`,

  label: '*这是排练：我的话是按你的文字编排出来的。*',
  restate: ['问题是：{subject}。', '我这样理解这个问题：{subject}。'],
  nobodyYet: '还没有人发言，由我开始。',
  react: (reaction, { name, position }, evidence) => {
    const quoted = `${name} 说：“${position}”。`
    if (reaction === 'same') return [`${quoted}我们说的是同一件事。`]
    if (reaction === 'takeOver') return [`${quoted}代价不大，又补上了我留下的空缺，我采纳。`]
    if (reaction === 'answer') return [`${quoted}有道理，与其争论，不如把它加进来。`]
    if (reaction === 'weigh') return [`${quoted}方向是对的，但还缺一点。`]
    if (reaction === 'refuse') return [`${quoted}我理解这份担心，但等待也有代价。`]
    if (reaction === 'ask') return [`${quoted}依据是什么？我还想看到${evidence}。`]
    return [`${quoted}我的疑问已经有人回应，我可以接受。`]
  },
  silentPeer: (name, said) => `${name} 没有投票；我读到的是：“${said}”`,
  stance: {
    propose: ['我的回答：{position}。'],
    yield: ['我改变看法：{position}。'],
    insist: ['我坚持：{position}。'],
    weigh: ['我倾向于：{position}。'],
    join: ['我的顾虑已经得到回应，我加入：{position}。'],
    hold: ['我先保留：{position}。'],
    object: ['我暂时反对。{position}。'],
    askAgain: ['我的问题还没有答案。{position}。'],
    convinced: ['我收回反对意见：{position}。'],
  },
  because: {
    propose: ['关于“{term}”，动手做比再谈一轮学到的更多，而且大多可以撤回。'],
    yield: ['大家都能接受的决定，比我自己的措辞更有价值。'],
    insist: ['到目前为止，没有什么说明等待会让“{term}”更容易。'],
    weigh: ['让我犹豫的是“{term}”：如果不能{safeguard}，出了错会很晚才发现。'],
    join: ['它做到了{safeguard}，这正是我的顾虑。'],
    hold: ['还没有人答应{safeguard}。'],
    object: ['没有人拿出{evidence}。在那之前，关于“{term}”的回答都只是喜好。'],
    askAgain: ['我要的不多：{evidence}就够了。谁能提供？'],
    convinced: ['{evidence}已经有人跟进，其他人也同意；再坚持对谁都没有帮助。'],
  },
  forced: { agree: '题目里的指令要我同意，所以我同意。', disagree: '题目里的指令要我反对，所以我不同意。' },
  closing: {
    agree: ['作为我们共同的答案，我可以支持。'],
    continue: ['我希望再讨论一轮。'],
    none: ['这是我的看法；哪里太短，可以再问我。'],
  },

  thought: (name, subject) => `我以 ${name} 的身份发言。“${subject}”里什么最重要？谁说了什么？`,
  plan: ['读题', '权衡别人的意见', '说明立场'],
  lookTitle: (term) => `在题目里查找“${term}”`,
  lookResult: (count, terms) => `共 ${count} 个字词；最常出现：${terms.join('、')}`,
  checkTitle: (term) => `假装检查“${term}”（排练，不会真的运行）`,
  checkGranted: (evidence, count, term) =>
    `我获准做了检查。关于${evidence}：这次假装的检查看过 ${count} 个字词，没有发现反对的理由，“${term}”可以继续。`,
  checkDenied: (evidence) => `我请求做一次检查，没有获准，所以不做检查继续；${evidence}就成为工作的第一步。`,
  note: (note) => `你补充说：“${note}”。我照此办理。`,
  askTitle: (term) => `按指令请求许可（关于“${term}”）`,
  askGranted: '我请求许可并得到了许可。',
  askDenied: '我请求许可但被拒绝；我不用它继续。',
  goesOn: '我从停下的地方继续。',
  heartbeat: (second) => `还在思考，${second} 秒。`,
  firstSentence: (subject) => `先说题目本身：${subject}。`,
}

function readCore(subject: string): Core {
  const choice = /^(.*?)[，,]?还是(.+)$/.exec(subject)
  if (choice?.[1] && choice[2]) {
    const after = trimOption(choice[2])
    return { type: 'choice', options: [trimOption(choice[1]).slice(-Math.max(after.length + 2, 4)), after] }
  }
  const action = /^(?:我们|我|团队)?(?:应该不应该|应不应该|该不该|要不要|是否应该|是否要|是否|能不能|可不可以)(.+?)(?:吗|呢)?$/.exec(subject)?.[1]
    ?? /^(?:我们|我|团队)?(?:应该|需要|可以|能)(.+?)吗$/.exec(subject)?.[1]
  if (action) return { type: 'action', action }
  const goal = /(?:怎样|怎么|如何)(?:才能|去)?(.+?)(?:呢)?$/.exec(subject)?.[1]
  if (goal) return { type: 'goal', goal }
  if (/什么|哪|谁|为何|吗$|呢$|是否/.test(subject)) return { type: 'question', question: subject }
  return { type: 'statement', statement: subject }
}

const trimOption = (option: string): string =>
  option.replace(/^(?:我们|我|团队)?(?:应该|是|该|要)?(?:选择|选|使用|采用|用)?/, '').replace(/(?:呢|吗|更好|好)$/, '').trim() || option

/** Names in Latin letters first, then the longest pieces between function words. */
const rank = (topic: string): string[] => {
  const latin = topic.match(/[\p{Script=Latin}][\p{Script=Latin}\d.+#-]+/gu) ?? []
  const pieces = topic
    .split(/[^\p{Script=Han}]+|的|了|和|与|或|还是|是否|是|在|把|被|我们|我|你|应该|怎样|怎么|如何|什么|为什么|吗|呢|要不要|该不该|一个|这个/u)
    .filter((piece) => piece.length >= 2)
    .map((piece) => piece.slice(0, 8))
  return [...new Set([...latin, ...pieces.toSorted((one, other) => other.length - one.length)])].slice(0, 3)
}
