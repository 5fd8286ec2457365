/// How a terminal takes pictures.
public enum PictureProtocol: String, Sendable, CaseIterable {
    /// The kitty graphics protocol, see ``KittyPicture``.
    case kitty
    /// iTerm2's inline images, see ``ITermPicture``.
    case iterm
    /// It takes none, or nobody knows.
    case none

    /// Konsole 22.04 brought the kitty protocol.
    private static let firstKonsole = 220_400

    /// Judges by the environment alone: a question to the terminal may come back as keystrokes.
    /// - Parameters:
    ///   - environment: The process's variables.
    ///   - isTerminal: Whether what is written goes to a terminal.
    public static func detect(environment: [String: String], isTerminal: Bool) -> PictureProtocol {
        guard isTerminal, !isMultiplexed(environment) else { return .none }
        switch environment["TERM"] {
        case "dumb", "linux": return .none
        case "xterm-kitty", "xterm-ghostty": return .kitty
        default: break
        }
        // What a terminal says about itself counts more than what one leaves to a terminal started in it.
        if let program = environment["TERM_PROGRAM"], !program.isEmpty { return named(program) }
        if environment["VTE_VERSION"] != nil || environment["XTERM_VERSION"] != nil { return .none }
        if let version = environment["KONSOLE_VERSION"].flatMap({ Int($0) }), version >= firstKonsole { return .kitty }
        if environment["LC_TERMINAL"] == "iTerm2" { return .iterm }
        return environment["KITTY_WINDOW_ID"] == nil ? .none : .kitty
    }

    private static func named(_ program: String) -> PictureProtocol {
        switch program {
        case "iTerm.app", "WezTerm": .iterm
        case "ghostty", "kitty": .kitty
        default: .none
        }
    }

    /// tmux, screen, Zellij and Emacs do not hand pictures on as they are.
    private static func isMultiplexed(_ environment: [String: String]) -> Bool {
        let variables = ["TMUX", "STY", "ZELLIJ", "INSIDE_EMACS"]
        if variables.contains(where: { environment[$0]?.isEmpty == false }) { return true }
        let term = environment["TERM"] ?? ""
        return term.hasPrefix("tmux") || term.hasPrefix("screen")
    }
}
