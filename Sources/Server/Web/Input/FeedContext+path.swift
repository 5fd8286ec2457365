import FeedAPI
import FeedCore
import FeedFiles

extension FeedContext {
    /// A path parameter, percent-decoded.
    /// - Throws: ``FeedError`` `.malformed` for a malformed escape or invalid UTF-8.
    func segment(_ name: String) throws -> String {
        guard let text = parameters.get(name)?.removingStrictPercentEncoding else {
            throw FeedError.malformed("The address is malformed")
        }
        return text
    }

    /// A path parameter as an id.
    /// - Throws: ``FeedError`` `.notFound` for anything else.
    func id(_ name: String = "id") throws -> Int64 {
        guard let text = parameters.get(name), text.isDigits, let id = Int64(text)
        else {
            throw FeedError.notFound
        }
        return id
    }
}
