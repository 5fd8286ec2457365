import Foundation

/// The kitty graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol), with the data in the escape sequences.
public enum KittyPicture {
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
