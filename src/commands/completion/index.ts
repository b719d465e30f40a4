/** `edu completion SHELL`: prints the script that makes a shell complete `edu` lines. */
import type { Command, Group } from '../../cli/command.js';
import type { Shell } from '../../cli/completion/scripts.js';

const HOW: Readonly<Record<Shell, { readonly about: string; readonly line: string }>> = {
  bash: { about: 'In ~/.bashrc:', line: 'edu completion bash > edu-completion.bash && source edu-completion.bash' },
  zsh: { about: 'Into a folder of $fpath:', line: 'edu completion zsh > _edu' },
  fish: { about: 'Save it where fish looks:', line: 'edu completion fish > edu.fish' },
  powershell: { about: 'For your profile:', line: 'edu completion powershell > edu.ps1' },
};

const command = (shell: Shell): Command => ({
  name: shell,
  summary: `Print the completion script for ${shell}.`,
  details: 'With it, Tab completes commands, flags, their values, field names, profiles, and ids with their names.',
  examples: [HOW[shell], { about: 'Look at it first:', line: `edu completion ${shell}` }],
  prints: 'nothing',
  traits: [],
  run: async (_, context) => {
    const { SCRIPTS } = await import('../../cli/completion/scripts.js');
    await context.io.stdout.write(SCRIPTS[shell]);
  },
});

export const completionGroup: Group = {
  name: 'completion',
  commands: [command('bash'), command('zsh'), command('fish'), command('powershell')],
};
