import Foundation

/// Pictures by the kitty graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol): sent directly, in pieces.
public enum KittyPicture {
    /// The protocol takes at most this many characters at once; all pieces but the last must be a multiple of 4.
    private static let piece = 4096
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// What to write to show a picture at the cursor, which stays where it is.
    /// - Parameters:
    ///   - bytes: A PNG; the terminal decodes it.
    ///   - columns: Cells it fills from left to right.
    ///   - rows: Cells it fills from top to bottom.
    /// - Returns: `nil` when the bytes are no PNG, which is all this protocol takes undecoded.
    public static func text(png bytes: [UInt8], columns: Int, rows: Int) -> String? {
        guard bytes.starts(with: signature) else { return nil }
        // Shown at once (a=T), PNG (f=100), no answers (q=2), the cursor stays (C=1).
        var keys = "a=T,f=100,t=d,q=2,C=1,c=\(max(1, columns)),r=\(max(1, rows)),"
        var rest = Array(Data(bytes).base64EncodedString().utf8)[...]
        var text = ""
        while !rest.isEmpty {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(piece)
            text += "\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);" + String(decoding: part, as: UTF8.self) + "\u{1B}\\"
            keys = ""
        }
        return text
    }
}
