"""Words for statuses, names and notes: ordinary ones, and now and then a hashtag, a link or an emoji."""

CITIES = ("Hamburg", "Lisboa", "Wellington", "Kraków", "Montréal", "Nairobi", "Kyōto", "Oslo", "")

WORDS = """
a about after again all almost also always and another any are around as ask at away back be because been before began
below between big book both boy bring build but by call came can carry change city close cold come could country cut
day did different do does done door down draw each early earth east eat end enough even every example eye face fall
family far farm fast father feet few find fire first fish five follow food for form found four friend from full game
garden gave get girl give go gold good great green ground group grow had half hand hard has have he head hear heat
help her here high him his hold home horse hot hour house how idea if in into is island it just keep kind king knew
know land large last late laugh learn leave left less let letter life light like line list listen little live long
look love low made make man many map mark may me mean might mile mind minute money moon more morning most mother
mountain move much music must my name near need never new next night no north not note nothing now number of off often
old on once one only open or order other our out over own page paper part pass people picture place plain plan plant
play point power press problem pull put question quick rain ran reach read real red rest right river road rock room
round rule run said same saw say school science sea second see sentence set several shape she ship short should show
side simple since sing sit six size sleep slow small snow so some song soon sound south space spell stand star start
state stay step still stood stop story street strong study such sun sure table tail take talk tell ten than that the
their them then there these they thing think this those thought three through time to together told too took top town
travel tree true try turn two under unit until up upon us use usual very voice vowel wait walk want war warm was watch
water wave way we week well went were west what wheel when where which while white who whole why will wind with wonder
wood word work world would write year yes you young your Straße über schön Füße façade déjà été garçon naïve où leçon
""".split()
TAGS = ("photo", "cats", "garden", "linux", "music", "cycling", "books", "berlin", "swift", "sunday", "baking", "art")
#: A word of direct statuses, and of no others.
SECRET = "ourselves"
_EMOJI = ("☕", "🌻", "🎉", "🐈", "🚲", "📚", "❤️")


def text(chance, count):
    """A text of `count` words."""
    return " ".join(_word(chance, chance.random()) for _ in range(count))


def _word(chance, kind):
    if kind > 0.022:
        return WORDS[int(chance.random() * len(WORDS))]
    if kind > 0.007:
        return "#" + chance.choice(TAGS)
    if kind > 0.004:
        return f"https://example.org/{chance.choice(WORDS)}/{chance.randrange(10_000)}"
    return chance.choice(_EMOJI)
