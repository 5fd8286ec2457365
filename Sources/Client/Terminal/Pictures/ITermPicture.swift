import Foundation

/// Pictures by iTerm2's protocol (iterm2.com/documentation-images.html), which WezTerm speaks too. Any common format will do.
public enum ITermPicture {
    /// What to write to show a picture at the cursor, which then stands behind it.
    /// - Parameters:
    ///   - bytes: PNG, JPEG, GIF …; the terminal decodes it.
    ///   - columns: Cells it may fill from left to right. Its proportions are kept.
    ///   - rows: Cells it may fill from top to bottom.
    public static func text(_ bytes: [UInt8], columns: Int, rows: Int) -> String {
        let size = "width=\(max(1, columns));height=\(max(1, rows));preserveAspectRatio=1"
        let data = Data(bytes).base64EncodedString()
        return "\u{1B}]1337;File=inline=1;size=\(bytes.count);\(size):\(data)\u{1B}\\"
    }
}
