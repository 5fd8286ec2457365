import Foundation

/// A reference to a status, as entered by a user: its id or its URL.
public enum StatusReference {
    /// The id of a status, given the id itself or the URL of the status on `server`.
    /// - Throws: ``FeedClientError`` `.usage` if the text is neither.
    public static func id(_ text: String, on server: ServerAddress) throws(FeedClientError) -> String {
        guard text.contains("://") else { return try checked(text, text) }
        guard server.isOrigin(of: text) else {
            throw FeedClientError(
                .usage, "\"\(text)\" is not on \(server)",
                hint: "Choose its server with --server, or enter only its id.")
        }
        return try checked(URL(string: text)?.lastPathComponent ?? "", text)
    }

    private static func checked(_ id: String, _ text: String) throws(FeedClientError) -> String {
        guard !id.isEmpty, id != "/" else {
            throw FeedClientError(
                .usage, "\"\(text)\" does not identify a status",
                hint: "Enter its id or its address, as feedclient post prints it.")
        }
        return id
    }
}
