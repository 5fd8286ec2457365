import HTTPTypes
import NIOHTTP1
import Testing

@testable import FeedWeb

struct CSRFCookieTests {
    private static let value = String(repeating: "a", count: 42) + "-"

    private static func cookie(_ lines: [String], isSecure: Bool = false) -> String? {
        let headers = RequestHeaders.http1(.init(lines.map { ("Cookie", $0) }))
        let request = Request(method: .get, target: "/join", host: nil, isSecure: isSecure, headers: headers)
        return CSRFCookie(request, isSecure: isSecure)?.value
    }

    /// The first one counts, as browsers send the most specific one first.
    @Test(arguments: [
        ["form=\(value)"], ["a=b; form=\(value)"], ["a=b;form=\(value); c=d"], ["a=b", "form=\(value)"],
        ["form=\(value); form=other"], ["xform=1; form=\(value)"],
    ])
    func cookieIsFound(lines: [String]) { #expect(Self.cookie(lines) == Self.value) }

    @Test(arguments: [
        [], [""], ["form"], ["form="], ["form=short"], ["form=\(value)x"], ["Form=\(value)"], ["xform=\(value)"],
        ["form=other; form=\(value)"], ["__Host-form=\(value)"], ["form=\"\(value)\""],
    ])
    func otherCookiesAreIgnored(lines: [String]) { #expect(Self.cookie(lines) == nil) }

    @Test func nameTellsWhetherTheClientUsesTLS() {
        #expect(Self.cookie(["__Host-form=\(Self.value)"], isSecure: true) == Self.value)
        #expect(Self.cookie(["form=\(Self.value)"], isSecure: true) == nil)
    }

    @Test(arguments: [(false, "form=", "; Path=/;"), (true, "__Host-form=", "; Path=/; Secure;")])
    func fieldSetsTheCookieForAnHour(isSecure: Bool, name: String, attributes: String) {
        let cookie = CSRFCookie(isSecure: isSecure)
        #expect(cookie.field.name == .setCookie)
        #expect(cookie.field.value == name + cookie.value + "; Max-Age=3600" + attributes + " HttpOnly; SameSite=Lax")
        let returned = String(cookie.field.value.prefix { $0 != ";" })
        #expect(Self.cookie([returned], isSecure: isSecure) == cookie.value)
    }
}
