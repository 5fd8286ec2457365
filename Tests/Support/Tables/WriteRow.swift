/// A write to an existing or missing file and its expected result, used with the pure rule and over a socket.
package struct WriteRow: CustomStringConvertible, Sendable {
    package let id: String
    package let method: String
    /// Header lines with placeholders of ``Validators``.
    package let headers: [String]
    package let isThere: Bool
    /// 412 if a precondition fails.
    package let status: Int

    package var description: String { id }

    private init(_ id: String, _ method: String, _ headers: [String], there isThere: Bool, _ status: Int) {
        self.id = id
        self.method = method
        self.headers = headers
        self.isThere = isThere
        self.status = status
    }

    package static let all: [WriteRow] = [
        WriteRow("W01 absent", "PUT", [], there: false, 201),
        WriteRow("W01 present", "PUT", [], there: true, 204),
        WriteRow("W02 absent", "PUT", ["If-None-Match: *"], there: false, 201),
        WriteRow("W02 present", "PUT", ["If-None-Match: *"], there: true, 412),
        WriteRow("W02b matches", "PUT", ["If-None-Match: {E}"], there: true, 412),
        WriteRow("W02c differs", "PUT", ["If-None-Match: \"X\""], there: true, 204),
        WriteRow("W03 matches", "PUT", ["If-Match: {E}"], there: true, 204),
        WriteRow("W03 in a list", "PUT", ["If-Match: \"X\", {E}"], there: true, 204),
        WriteRow("W03 differs", "PUT", ["If-Match: \"X\""], there: true, 412),
        WriteRow("W03 absent", "PUT", ["If-Match: \"X\""], there: false, 412),
        WriteRow("W03b absent", "PUT", ["If-Match: {E}"], there: false, 412),
        WriteRow("W04 absent", "PUT", ["If-Match: *"], there: false, 412),
        WriteRow("W04 present", "PUT", ["If-Match: *"], there: true, 204),
        WriteRow("W05 weak", "PUT", ["If-Match: W/{E}"], there: true, 412),
        WriteRow("W06 matches", "DELETE", ["If-None-Match: {E}"], there: true, 412),
        WriteRow("W06 differs", "DELETE", ["If-None-Match: \"X\""], there: true, 204),
        WriteRow("W07 present", "PUT", ["If-Modified-Since: {newer}"], there: true, 204),
        WriteRow("W07 absent", "PUT", ["If-Modified-Since: {newer}"], there: false, 201),
        WriteRow("W07b DELETE", "DELETE", ["If-Modified-Since: {newer}"], there: true, 204),
        WriteRow("W08 older", "DELETE", ["If-Unmodified-Since: {older}"], there: true, 412),
        WriteRow("W08 equal", "DELETE", ["If-Unmodified-Since: {equal}"], there: true, 204),
        WriteRow("W08b older", "PUT", ["If-Unmodified-Since: {older}"], there: true, 412),
        WriteRow("W08c garbage", "PUT", ["If-Unmodified-Since: garbage"], there: true, 204),
        WriteRow("W08d overruled", "PUT", ["If-Match: {E}", "If-Unmodified-Since: {older}"], there: true, 204),
        WriteRow("DELETE", "DELETE", [], there: true, 204),
        WriteRow("DELETE absent", "DELETE", [], there: false, 404),
        WriteRow("DELETE matches", "DELETE", ["If-Match: {E}"], there: true, 204),
        WriteRow("DELETE differs", "DELETE", ["If-Match: \"X\""], there: true, 412),
        WriteRow("DELETE weak", "DELETE", ["If-Match: W/{E}"], there: true, 412),
        // Partial PUT is not supported (RFC 9110 §14.5).
        WriteRow("Content-Range", "PUT", ["Content-Range: bytes 0-13/14"], there: true, 400),
        WriteRow("Content-Range absent", "PUT", ["Content-Range: bytes 0-13/100"], there: false, 400),
        WriteRow("Content-Encoding", "PUT", ["Content-Encoding: gzip"], there: true, 415),
        WriteRow("Range", "PUT", ["Range: bytes=0-1"], there: true, 204),
    ]
}
