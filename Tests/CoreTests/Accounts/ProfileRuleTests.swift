import FeedCore
import TestKit
import Testing

/// The values that a profile may have.
@Suite(.hangLimit)
struct ProfileRuleTests {
    private static let limits = Limits()

    private static func isValid(_ change: (inout ProfileChanges) -> Void) -> Bool {
        var changes = ProfileChanges()
        change(&changes)
        return (try? ProfileRule.check(changes, limits)) != nil
    }

    @Test func noChangesAreValid() { #expect(Self.isValid { _ in }) }

    @Test func aDisplayNameIsLimitedInCharactersAndBytes() {
        let limit = Self.limits.displayNameCharacters
        #expect(Self.isValid { $0.displayName = String(repeating: "é", count: limit) })
        #expect(!Self.isValid { $0.displayName = String(repeating: "a", count: limit + 1) })
        let long = "a" + String(repeating: "\u{301}", count: Self.limits.noteBytes)
        #expect(!Self.isValid { $0.displayName = long })
    }

    @Test func aNoteIsLimitedInBytes() {
        #expect(Self.isValid { $0.note = String(repeating: "a", count: Self.limits.noteBytes) })
        #expect(!Self.isValid { $0.note = String(repeating: "é", count: Self.limits.noteBytes / 2 + 1) })
    }

    @Test func fieldsAreLimitedInNumberAndLength() {
        let (count, length) = (Self.limits.profileFields, Self.limits.fieldCharacters)
        let field = ProfileChanges.Field(name: "Site", value: String(repeating: "a", count: length))
        let long = ProfileChanges.Field(name: "Site", value: field.value + "a")
        #expect(Self.isValid { $0.fields = Array(repeating: field, count: count) })
        #expect(!Self.isValid { $0.fields = Array(repeating: field, count: count + 1) })
        #expect(!Self.isValid { $0.fields = [long] })
    }

    @Test func aFieldWithAValueHasAName() {
        #expect(Self.isValid { $0.fields = [.init(name: "", value: "")] })
        #expect(!Self.isValid { $0.fields = [.init(name: "", value: "x")] })
    }

    @Test(arguments: [("", true), ("de", true), ("zh-Hant", true), ("de_AT", false), ("d e", false), ("dé", false)])
    func aLanguageIsATagOrEmpty(tag: String, isValid: Bool) {
        #expect(Self.isValid { $0.defaultLanguage = tag } == isValid)
    }

    /// Foundation also knows abbreviations and offsets, which are no names of the IANA database.
    @Test(arguments: [
        ("", true), ("Europe/Berlin", true), ("America/Argentina/Buenos_Aires", true), ("Mars/Base", false),
        ("CET", false), ("GMT+3", false), ("../../etc/passwd", false), ("Europe/Berlin ", false),
    ])
    func aTimeZoneIsANameOrEmpty(name: String, isValid: Bool) {
        #expect(Self.isValid { $0.timeZone = name } == isValid)
    }

    @Test(arguments: [("", true), ("light", true), ("dark", true), ("Dark", false), ("dark\" x=\"", false)])
    func aThemeIsOneOfTwoOrEmpty(name: String, isValid: Bool) {
        #expect(Self.isValid { $0.theme = name } == isValid)
    }

    @Test(arguments: [("", true), ("en", true), ("de", true), ("zh-Hans", true), ("zh", false), ("fr", false)])
    func aPageLanguageIsOneOfThreeOrEmpty(tag: String, isValid: Bool) {
        #expect(Self.isValid { $0.pageLanguage = tag } == isValid)
    }

    @Test func statusesAreNotDirectByDefault() {
        #expect(Self.isValid { $0.defaultVisibility = .unlisted })
        #expect(!Self.isValid { $0.defaultVisibility = .direct })
    }
}
