/// The protocol by which a terminal shows pictures.
public enum PictureProtocol: String, Sendable, CaseIterable {
    /// The kitty graphics protocol, see ``KittyPicture``.
    case kitty
    /// iTerm2's inline images, see ``ITermPicture``.
    case iterm
    /// Sixel graphics, see ``SixelPicture``.
    case sixel
    /// Colored characters, see ``HalfBlockPicture``. Never detected: the user has to want them.
    case blocks
    /// The terminal does not support pictures, or is unknown.
    case none

    /// The first version of Konsole that supports the kitty protocol, 22.04.
    private static let firstKonsole = 220_400
    /// The beginnings of the values of `TERM` of terminals that show sixel graphics in all versions.
    private static let sixelTerminals = ["foot", "mlterm", "yaft", "contour"]

    /// Detects the protocol from environment variables only, because the response to a query would arrive as
    /// keystrokes.
    /// - Parameters:
    ///   - environment: Environment variables.
    ///   - isTerminal: Whether the output is a terminal.
    public static func detect(environment: [String: String], isTerminal: Bool) -> PictureProtocol {
        guard isTerminal, !isMultiplexed(environment) else { return .none }
        switch environment["TERM"] {
        case "dumb", "linux": return .none
        case "xterm-kitty", "xterm-ghostty": return .kitty
        case let term? where sixelTerminals.contains { term.hasPrefix($0) }: return .sixel
        default: break
        }
        // The name of the terminal takes precedence over variables that a terminal may have inherited from another one.
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
        case "mintty": .sixel
        default: .none
        }
    }

    /// Whether the terminal runs in tmux, screen, Zellij or Emacs, which do not pass pictures on.
    private static func isMultiplexed(_ environment: [String: String]) -> Bool {
        let variables = ["TMUX", "STY", "ZELLIJ", "INSIDE_EMACS"]
        if variables.contains(where: { environment[$0]?.isEmpty == false }) { return true }
        let term = environment["TERM"] ?? ""
        return term.hasPrefix("tmux") || term.hasPrefix("screen")
    }
}
