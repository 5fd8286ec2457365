import Foundation

/// The inline image protocol of iTerm2 (iterm2.com/documentation-images.html), which WezTerm supports as well.
public enum ITermPicture {
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
