import Foundation

/// The protocol by which a terminal shows pictures.
public enum PictureProtocol: String, Sendable, CaseIterable {
    /// The kitty graphics protocol, see ``KittyEncoder``.
    case kitty
    /// iTerm2's inline images, see ``ITermEncoder``.
    case iterm
    /// Sixel graphics, see ``SixelEncoder``.
    case sixel
    /// Colored characters, see ``HalfBlockEncoder``. Never detected: the user has to want them.
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

/// Writes pictures in the kitty graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol), with the data in the
/// escape sequences.
public enum KittyEncoder {
    /// The maximum length of a piece of data. The length of all but the last must be a multiple of 4.
    private static let maximumPiece = 4096

    /// The escape sequences that show a picture at the cursor, without moving the cursor.
    /// - Parameters:
    ///   - bytes: A PNG, which the terminal decodes.
    ///   - columns: The width in cells.
    ///   - rows: The height in cells.
    /// - Returns: `nil` if the bytes are not a PNG, the only encoded format that the protocol supports (f=100).
    public static func text(png bytes: [UInt8], columns: Int, rows: Int) -> String? {
        guard bytes.starts(with: PictureSize.pngSignature) else { return nil }
        return sequence("f=100,", bytes, columns, rows)
    }

    /// The escape sequences that show decoded pixels in the same way.
    public static func text(pixels: PicturePixels, columns: Int, rows: Int) -> String {
        sequence("f=32,s=\(pixels.width),v=\(pixels.height),", pixels.bytes, columns, rows)
    }

    /// - Parameter format: The keys that describe the data.
    private static func sequence(_ format: String, _ bytes: [UInt8], _ columns: Int, _ rows: Int) -> String {
        // Transmit and display (a=T), no responses (q=2), no cursor movement (C=1).
        var keys = "a=T,\(format)t=d,q=2,C=1,c=\(max(1, columns)),r=\(max(1, rows)),"
        var rest = Array(Data(bytes).base64EncodedString().utf8)[...]
        var text = ""
        while !rest.isEmpty {
            let part = rest.prefix(maximumPiece)
            rest = rest.dropFirst(maximumPiece)
            text += "\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);" + String(decoding: part, as: UTF8.self) + "\u{1B}\\"
            keys = ""
        }
        return text
    }
}

/// Writes pictures in the inline image protocol of iTerm2 (iterm2.com/documentation-images.html), which WezTerm
/// supports as well.
public enum ITermEncoder {
    /// The escape sequence that shows a picture at the cursor, and moves the cursor behind it.
    /// - Parameters:
    ///   - bytes: A PNG, JPEG, GIF or similar, which the terminal decodes.
    ///   - columns: The maximum width in cells. The aspect ratio is preserved.
    ///   - rows: The maximum height in cells.
    public static func text(_ bytes: [UInt8], columns: Int, rows: Int) -> String {
        let size = "width=\(max(1, columns));height=\(max(1, rows));preserveAspectRatio=1"
        let data = Data(bytes).base64EncodedString()
        return "\u{1B}]1337;File=inline=1;size=\(bytes.count);\(size):\(data)\u{1B}\\"
    }
}
