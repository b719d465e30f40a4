/** Completion scripts for shells. They contain no command names, so they never become outdated. */

const bash = `# edu: completion for bash 4 and later. Put this into ~/.bashrc:
#   source <(edu completion bash)
_edu() {
  local line=\${COMP_LINE:0:COMP_POINT} words=() at char word= quote= begun= reply directives candidate part strip
  # The words as bash reads them, without running anything in them. The last quotation mark may be open.
  for ((at = 0; at < \${#line}; at++)); do
    char=\${line:at:1}
    if [[ -z $quote && $char == [[:space:]] ]]; then
      [[ $begun ]] && words+=("$word")
      word= begun=
      continue
    fi
    begun=1
    if [[ $char == "$quote" ]]; then quote=
    elif [[ -z $quote && $char == [\\'\\"] ]]; then quote=$char
    elif [[ $quote != \\' && $char == \\\\ ]]; then word+=\${line: ++at:1}
    else word+=$char
    fi
  done
  mapfile -t reply < <("\${words[0]}" __complete "\${words[@]:1}" "$word" 2>/dev/null)
  directives=\${reply[0]-}
  # Bash breaks words at : and = as well; what stands before its last break must not come twice. It keeps an @.
  IFS= read part <<<"\${COMP_WORDS[COMP_CWORD]}"
  part=\${part#[\\'\\"]}
  COMPREPLY=()
  # Text after the cursor would be taken for text before it.
  [[ $directives == files* || $word == *"$part" ]] || return
  strip=\${word%"$part"}
  [[ $part == [:=] ]] && strip=$word
  strip=\${strip%@}
  for candidate in "\${reply[@]:1}"; do
    candidate=\${candidate%%$'\\t'*}
    # Bash closes the quotation marks itself.
    [[ $quote && $candidate == *["$quote"\\\\\\$\\\`!]* ]] && continue
    candidate=\${candidate:\${#strip}}
    [[ -z $quote && $candidate == *[![:alnum:]@._:,=+%/-]* ]] && printf -v candidate %q "$candidate"
    COMPREPLY+=("$candidate")
  done
  if [[ $directives == files* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
  elif [[ $directives == *open* ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _edu edu
`;

const zsh = `#compdef edu
# edu: completion for zsh. Put this into ~/.zshrc, after compinit:
#   source <(edu completion zsh)
_edu() {
  local -a reply described
  local line directives value
  reply=("\${(@f)$("\${words[1]}" __complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  directives=\${reply[1]}
  if [[ $directives == files* ]]; then
    [[ $PREFIX == -* ]] && compset -P 1 '*='
    _files
    return
  fi
  for line in "\${(@)reply[2,-1]}"; do
    [[ -z $line ]] && continue
    value=\${\${line%%$'\\t'*}//\\\\/\\\\\\\\}
    described+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done
  if [[ $directives == *open* ]]; then
    _describe -V 'edu' described -S ''
  else
    _describe -V 'edu' described
  fi
}
if [ "$funcstack[1]" = _edu ]; then _edu "$@"; else compdef _edu edu; fi
`;

const fish = `# edu: completion for fish. Save it as ~/.config/fish/completions/edu.fish:
#   edu completion fish > ~/.config/fish/completions/edu.fish
function __edu_complete
    # An open quotation mark can't be taken off.
    set -l word (string unescape -- (commandline -ct); or commandline -ct)
    set -l line (commandline -opc) "$word"
    set -l reply ($line[1] __complete $line[2..-1] 2>/dev/null)
    if string match -q 'files*' -- $reply[1]
        # As fish completes the files of a program that it does not know, behind the flag and its equals sign.
        set -l flag (string match -r -- '^-[^=]*=' (commandline -ct))
        printf "$flag%s\\n" (complete -C "'' "(string replace -r -- '^-[^=]*=' '' (commandline -ct)))
    else
        printf '%s\\n' $reply[2..-1]
    end
end
complete -c edu -f -a '(__edu_complete)'
`;

const powershell = `# edu: completion for PowerShell. Put this into your profile:
#   edu completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName edu -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -le $cursorPosition } | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  $rest = @()
  if ($words.Count -gt 1) { $rest = $words[1..($words.Count - 1)] }
  $reply = @(& edu __complete @rest 2>$null)
  $reply | Select-Object -Skip 1 | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $value }
    if ($value -match '[^\\w@.:,=+%/-]') { $value = "'" + ($value -replace '[''\\u2018-\\u201b]', '$0$0') + "'" }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
  }
}
`;

export const SCRIPTS = { bash, zsh, fish, powershell } as const;
export type Shell = keyof typeof SCRIPTS;
