/** The shell that runs commands, and the system it runs on. */
export interface ShellFacts {
  /** The operating system, such as `linux`, `darwin` or `windows`. */
  readonly platform: string;
  /** Name of the shell, such as `bash`. */
  readonly shell: string;
  /** Absolute path of the shell. */
  readonly shellPath: string;
  /** Separator between the parts of a path. */
  readonly pathSeparator: string;
  /** Separator of two commands of which the second runs only if the first succeeds. */
  readonly commandSeparator: string;
  /** Prefix of a variable's name where it is expanded. */
  readonly environmentPrefix: string;
  /** Features of the shell's syntax. */
  readonly features: {
    readonly pipelines: boolean;
    readonly redirects: boolean;
    readonly backgroundJobs: boolean;
    readonly heredoc: boolean;
  };
}
