/// A reference to an account, as entered by a user: `user`, `@user`, `user@host`, `@user@host`.
struct AccountHandle {
    let name: String
    /// The host in lowercase; `nil` if omitted.
    let host: String?

    init(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1).map(Substring.init)
        name = parts.first.map(String.init) ?? ""
        host = parts.count > 1 ? parts[1].lowercased() : nil
    }

    /// Whether the account belongs to the server at `base`, an address without a trailing slash.
    func isLocal(to base: String) -> Bool {
        guard let host else { return !name.isEmpty }
        return !name.isEmpty && base.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } == host
    }
}
