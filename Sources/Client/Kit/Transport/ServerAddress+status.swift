import Foundation

extension ServerAddress {
    /// The id of a status that a person named: by the id, or by the address of its page on this server.
    /// - Throws: ``FeedClientError`` `.usage` when it is neither.
    public func statusID(_ text: String) throws(FeedClientError) -> String {
        guard text.contains("://") else { return try Self.checked(text, text) }
        guard isOrigin(of: text) else {
            throw FeedClientError(
                .usage, "\"\(text)\" is not on \(self)", hint: "Name its server with --server, or give its id alone.")
        }
        return try Self.checked(URL(string: text)?.lastPathComponent ?? "", text)
    }

    private static func checked(_ id: String, _ text: String) throws(FeedClientError) -> String {
        guard !id.isEmpty, id != "/" else {
            throw FeedClientError(
                .usage, "\"\(text)\" names no status", hint: "Give its id or its address, as feedclient post prints it."
            )
        }
        return id
    }
}
