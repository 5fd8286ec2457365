/// Names what this machine stores for its user: six letters and digits that are easy to type.
enum LocalID {
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    private static let length = 6

    static func make() -> String { String((0..<length).compactMap { _ in letters.randomElement() }) }

    /// Whether a text is an id. Any other text could point outside its folder.
    static func isID(_ text: String) -> Bool { text.utf8.count == length && text.allSatisfy(letters.contains) }

    /// The id in the name of a file.
    /// - Parameter suffix: What follows the id, such as `.post`.
    /// - Returns: `nil` for any other name.
    static func id(ofFile name: String, suffix: String) -> String? {
        let id = String(name.prefix(length))
        return isID(id) && name == id + suffix ? id : nil
    }
}
