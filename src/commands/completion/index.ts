/** `edu completion SHELL`: prints the completion script for a shell. */
import type { Command, Group } from '../../cli/command.js';
import type { Shell } from '../../cli/completion/scripts.js';

const HOW: Readonly<Record<Shell, { readonly description: string; readonly line: string }>> = {
  bash: {
    description: 'Load it in ~/.bashrc:',
    line: 'edu completion bash > edu-completion.bash && source edu-completion.bash',
  },
  zsh: { description: 'Save it in a folder of $fpath:', line: 'edu completion zsh > _edu' },
  fish: { description: 'Save it in ~/.config/fish/completions:', line: 'edu completion fish > edu.fish' },
  powershell: { description: 'Save it, and load it in your $PROFILE:', line: 'edu completion powershell > edu.ps1' },
};

const command = (shell: Shell): Command => ({
  name: shell,
  summary: `Print the completion script for ${shell}.`,
  details: 'The script completes commands, flags, their values, field names, profiles, and IDs with their names.',
  examples: [HOW[shell], { description: 'Print it:', line: `edu completion ${shell}` }],
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
