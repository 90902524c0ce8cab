/** The words of the welcome and of making a conversation. */
export const setup = {
  welcome: {
    title: 'Welcome',
    looking: (done: number, all: number) => `Looking for agents, ${done} of ${all}`,
    lookAgain: 'Look again',
    ready: (n: number) =>
      n === 0
        ? 'No agent on this computer is ready yet'
        : `${wordFor(n)} on this computer ${n === 1 ? 'is' : 'are'} ready`,
    readyText: (ready: number, others: number) => {
      if (ready === 0) return 'What they need is one command each. The rehearsal needs nothing at all: start there.'
      return others === 0
        ? 'Start whenever you like.'
        : 'Start whenever you like. What the others need is one command; the rehearsal needs nothing at all.'
    },
    agent: 'Agent',
    version: 'Version',
    state: 'State',
    mends: 'What mends it',
    talk: 'Talk',
    noVersion: 'none',
    noRemedy: 'no recipe for this system',
    askTitle: 'Ask your first question',
    askText:
      'One agent, or two and more at one table. ' +
      'They may read a folder you choose; writing stays locked until you unlock it.',
    newGroup: 'New group',
    talkToOne: 'Talk to one agent',
    rehearsalTitle: 'Watch a rehearsal',
    rehearsalText: 'Three scripted agents disagree, ask you once, and settle. No key, no network, about a minute.',
    startRehearsal: 'Start the rehearsal',
    rehearsalName: 'Rehearsal',
    rehearsalTopic: 'Redis or Postgres for the job queue of a small team?',
    evidence: 'Evidence',
  },

  test: {
    start: 'Test',
    going: 'Testing…',
    answered: (seconds: number) => `Answered in ${seconds.toFixed(1)} s`,
  },

  create: {
    title: 'New conversation',
    group: 'Group',
    direct: 'One agent',
    kind: 'Kind',
    name: 'Name',
    nameHint: 'Named by its first message if left empty',
    members: 'Members',
    agent: 'Agent',
    directory: 'Working directory',
    directoryHint: 'A folder of Parley’s own if left empty',
    pick: 'Choose…',
    access: 'Access',
    readOnly: 'Read-only',
    write: 'May write',
    readOnlyText: 'They may read the directory and change nothing.',
    writeText: 'They may change files and run commands in the directory.',
    rounds: 'Rounds',
    blind: 'Blind first round',
    blindText: 'In round one all answer at once and none sees another.',
    unlimited: 'Unlimited',
    confirmUnlimited: 'Go on until they agree or I stop them',
    needTwo: 'A group needs two members or more.',
    needOne: 'Choose an agent.',
    needConfirm: 'Confirm that the rounds have no limit.',
    create: 'Create',
  },
}

function wordFor(n: number) {
  const words = ['No agent', 'One agent', 'Two agents', 'Three agents', 'Four agents', 'Five agents', 'Six agents']
  return words[n] ?? `${n} agents`
}
