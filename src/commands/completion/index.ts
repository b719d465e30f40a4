/** `edu completion SHELL`: prints the completion script for a shell. */
import type { Command, Group } from '../../cli/command.js';
import type { Shell } from '../../cli/completion/scripts.js';

const HOW: Readonly<Record<Shell, Command['examples']>> = {
  bash: { 'Load it in ~/.bashrc:': 'edu completion bash > edu-completion.bash && source edu-completion.bash' },
  zsh: { 'Save it in a folder of $fpath:': 'edu completion zsh > _edu' },
  fish: { 'Save it in ~/.config/fish/completions:': 'edu completion fish > edu.fish' },
  powershell: { 'Save it, and load it in your $PROFILE:': 'edu completion powershell > edu.ps1' },
};

const command = (shell: Shell): Command => ({
  name: shell,
  summary: `Print the completion script for ${shell}.`,
  details: 'The script completes commands, flags, their values, field names, profiles, and IDs with their names.',
  examples: { ...HOW[shell], 'Print it:': `edu completion ${shell}` },
  prints: 'nothing',
  run: async (_, context) => {
    const { SCRIPTS } = await import('../../cli/completion/scripts.js');
    await context.io.stdout.write(SCRIPTS[shell]);
  },
});

export const group: Group = { name: 'completion', commands: (Object.keys(HOW) as Shell[]).map(command) };
